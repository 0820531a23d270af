#include "holdfast/domains/checkpoint/strategies.hpp"

#include "holdfast/domains/checkpoint/plan.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/kernel/statistics.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

constexpr double kDay = 86400;
constexpr double kTenYears = 3650 * kDay;

StrategySpec parsed_spec(std::string_view text) {
  return parse_strategy(text, strategies()).value();
}

Instance job(double work, double checkpoint, Law law, std::int64_t processors = 1) {
  Instance out;
  out.work = work;
  out.checkpoint = checkpoint;
  out.law = std::move(law);
  out.processors = processors;
  return out;
}

Plan planned(const Instance& instance, std::string_view strategy) {
  REQUIRE(check(instance).has_value());
  const auto rule = make_strategy(parsed_spec(strategy), instance).value();
  return make_plan(instance, *rule).value();
}

bool near(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

std::vector<Law> eight_laws(double mean) {
  return {lognormal_law_of_mean(mean, 2.55), weibull_law_of_mean(0.5, mean),
          gamma_law_of_mean(0.5, mean),      weibull_law_of_mean(0.7, mean),
          gamma_law_of_mean(0.7, mean),      exponential_law(mean),
          weibull_law_of_mean(1.5, mean),    lognormal_law_of_mean(mean, 1.41)};
}

}  // namespace

TEST_CASE("strategies: what each does with a small job, if nothing fails") {
  struct Row {
    std::string_view strategy;
    std::vector<double> cuts;
  };
  // MTBF 50, C = 4: Young/Daly 20; Daly 20 (1 + 0.2/3 + 0.04/9) - 4 = 17.42
  const Row rows[] = {
      {"young-daly", {50.0 / 3, 100.0 / 3, 50}},
      {"daly", {50.0 / 3, 100.0 / 3, 50}},
      {"optimal-exponential", {50.0 / 3, 100.0 / 3, 50}},
      {"local-young-daly", {50.0 / 3, 100.0 / 3, 50}},
      {"fixed:20", {20, 40, 50}},
      {"fixed:50", {50}},
      {"none", {50}},
      {"as-given", {10, 50}},
  };
  Instance instance = job(50, 4, exponential_law(50));
  instance.segments = {10, 40};
  for (const Row& row : rows) {
    CAPTURE(row.strategy);
    const Plan plan = planned(instance, row.strategy);
    REQUIRE(plan.cuts.size() == row.cuts.size());
    for (std::size_t k = 0; k < plan.cuts.size(); ++k)
      CHECK(near(plan.cuts[k], row.cuts[k], 1e-14));
    CHECK(plan.cuts.back() == 50);
  }
}

TEST_CASE("strategies: repeated subtraction leaves no crumb with a checkpoint of its own") {
  for (int count = 2; count < 200; ++count) {
    CAPTURE(count);
    const Instance instance = job(172800, 60, exponential_law(1e6));
    CHECK(planned(instance, "fixed:" + std::to_string(172800.0 / count)).cuts.size() <=
          static_cast<std::size_t>(count + 1));
  }
  CHECK(planned(job(0.3, 1, exponential_law(100)), "fixed:0.1").cuts.size() == 3);
}

TEST_CASE("strategies: the ends of the job move work to the first and last segments") {
  Instance instance = job(36000, 600, exponential_law(31536));
  instance.recovery = 600;
  instance.ends = {.final_checkpoint = false, .initial_recovery = false};
  const Plan plan = planned(instance, "optimal-exponential");
  // six segments of work + C + R = 7000 s: 6400, 4 times 5800, 6400
  REQUIRE(plan.cuts.size() == 6);
  CHECK(near(plan.cuts[0], 6400, 1e-12));
  CHECK(near(plan.cuts[1] - plan.cuts[0], 5800, 1e-12));
  CHECK(near(plan.cuts[5] - plan.cuts[4], 6400, 1e-12));
}

TEST_CASE("strategies: a job without end is planned as far as anything survives") {
  const Instance instance = job(Instance::kNever, 300, exponential_law(28800));
  for (const char* strategy :
       {"next-step", "next-step-grid:60", "young-daly", "daly", "optimal-exponential",
        "local-young-daly", "fixed:3600", "next-failure"}) {
    CAPTURE(strategy);
    const Plan plan = planned(instance, strategy);
    // Without an end, the share saved before the next failure is at its best with the optimal period.
    CHECK(plan.worth.share > 0.85);
    CHECK(plan.worth.share < 0.8625231);
  }
  const Plan best = planned(instance, "next-step");
  CHECK(near(best.cuts[0], optimal_period(300, 28800), 1e-6));
  CHECK_FALSE(make_strategy(parsed_spec("none"), instance).has_value());

  // A century of work begins as an endless job does, and so does one of 46 days, which is looked at whole.
  for (const double work : {3.2e9, 4e6}) {
    CAPTURE(work);
    const Plan plan = planned(job(work, 300, exponential_law(28800)), "next-step");
    CHECK(near(plan.cuts[0], best.cuts[0], 1e-6));
    CHECK(near(plan.worth.share, best.worth.share, 1e-9));
  }
}

TEST_CASE("strategies: a hopeless job still gets a plan, and a warning") {
  // 100 000 new processors that fail within minutes: S(C) underflows
  Instance instance = job(3600, 600, weibull_law_of_mean(0.5, 1e4), 100000);
  for (const char* strategy : {"next-step", "next-step-grid", "next-failure", "local-young-daly"}) {
    CAPTURE(strategy);
    const Plan plan = planned(instance, strategy);
    CHECK(plan.cuts.front() > 0);
    CHECK(plan.cuts.back() == 3600);
    CHECK(plan.warnings.size() == 1);
    CHECK(std::isfinite(plan.worth.expected_time));
  }
}

TEST_CASE("strategies: total rejuvenation divides a Weibull mean by p^(1/k), not by p") {
  Instance instance = job(1e6, 10, weibull_law_of_mean(0.5, 1e8), 100);
  CHECK(near(job_mtbf(instance), 1e6, 1e-12));
  instance.rejuvenation = Rejuvenation::all;
  CHECK(near(job_mtbf(instance), 1e4, 1e-9));
  const double period = planned(instance, "young-daly").cuts.front();
  CHECK(near(period, 1e6 / std::ceil(1e6 / std::sqrt(2 * 10 * 1e4)), 1e-9));
}

TEST_CASE("strategies: exponential failures know no age") {
  for (const double age : {0.0, 3.0, 1e5}) {
    Instance instance = job(300, 2, exponential_law(1000), 10);
    instance.platform_age = age;
    CHECK(near(planned(instance, "next-step").worth.share, 0.813104773, 1e-8));
  }
}

TEST_CASE("strategies: another unit of time leaves the shares alone") {
  for (const Law& law : eight_laws(1000)) {
    const std::string name(law.name());
    CAPTURE(name);
    Instance once = job(500, 5, law, 3);
    once.platform_age = 40;
    Value description = law.description();
    // the same law in units of an eighth of a second
    Instance scaled = once;
    scaled.work = 4000;
    scaled.checkpoint = 40;
    scaled.platform_age = 320;
    for (const char* field : {"mtbf", "scale"}) {
      if (const Value* value = description.find(field)) description.set(field, 8 * value->number());
    }
    if (const Value* value = description.find("log_mean"))
      description.set("log_mean", value->number() + std::log(8));
    scaled.law = read_law(description, "").value();
    for (const char* strategy : {"next-step", "next-step-grid", "young-daly", "next-failure"}) {
      CAPTURE(strategy);
      CHECK(near(planned(scaled, strategy).worth.share, planned(once, strategy).worth.share, 1e-9));
    }
  }
}

TEST_CASE("strategies: planning again changes nothing for exponential failures (theorem 21)") {
  CHECK(rc::check([] {
    const double work = *rc::gen::inRange(1, 5000);
    const double checkpoint = *rc::gen::inRange(1, 400);
    const double rate = 1.0 / *rc::gen::inRange(10, 5000);
    const ResilienceCosts costs{.checkpoint = checkpoint, .recovery = 1, .downtime = 0};
    const JobPlan whole = optimal_job(work, costs, rate);
    const auto n = static_cast<double>(whole.segments);
    for (std::int64_t done = 1; done < whole.segments; ++done) {
      const double left = work * (n - static_cast<double>(done)) / n;
      const double kept = job_in_segments(left, costs, rate, whole.segments - done).expected_time;
      const double again = optimal_job(left, costs, rate).expected_time;
      RC_ASSERT(kept <= again * (1 + 1e-12));
    }
  }));
}

TEST_CASE(
    "failures: the mean time between failures of the platform tends to mean / p (equation 5.4)" *
    doctest::test_suite("slow")) {
  constexpr double kMean = 1000;
  constexpr std::int64_t kProcessors = 20;
  constexpr double kUntil = 1e5 * kMean;
  for (const Law& law : eight_laws(kMean)) {
    const std::string name(law.text());
    CAPTURE(name);
    FailureTrace trace = FailureTrace::sample(std::make_shared<const TabulatedLaw>(law),
                                              kProcessors, {.purpose = Purpose::failures});
    const auto count = static_cast<double>(trace.index_at(kUntil));
    // Coefficients of variation up to 25: 4 standard errors are 7 % for the worst law, below 1 % for most.
    double square = 0;
    for (double x = 1e-9; x < 1e9; x *= 1.01)
      square += 2 * x * law.survival(x) * (0.01 * x) / 1.005;
    const double variation = std::sqrt(square / (kMean * kMean) - 1);
    const double error = variation / std::sqrt(count) + variation * variation / 2e5;
    CHECK(std::fabs(kUntil / count * kProcessors / kMean - 1) < 4 * error);
  }
}

namespace {

// Work saved until that date (of the trace's clock) by a job that never ends.
double saved_until(Instance instance, double date, Realisation& realisation,
                   std::string_view strategy) {
  instance.horizon = date;
  const StrategySpec chosen = parsed_spec(strategy);
  const auto rule = make_strategy(chosen, instance).value();
  const Metrics metrics = simulate(instance, *rule, realisation, replans(chosen));
  return metrics.efficiency * metrics.makespan;
}

}  // namespace

TEST_CASE("strategies: of an endless job, nobody saves more until the n-th failure than next-step" *
          doctest::test_suite("slow")) {
  // Thesis, section 5.4.3. No downtime and no recovery: every failure of the trace is one of the job.
  constexpr std::size_t kFailures[] = {1, 5, 20};
  constexpr std::string_view kOthers[] = {"young-daly", "daly", "local-young-daly"};
  for (const Law& law : eight_laws(kTenYears)) {
    Instance instance = job(1e9, 60, law, 50000);
    instance.platform_age = 5 * kDay;
    const auto tabulated = std::make_shared<const TabulatedLaw>(law);
    Moments gains[std::size(kFailures)][std::size(kOthers)];
    for (std::uint64_t scenario = 0; scenario < 2000; ++scenario) {
      const auto realisation = Realisation::make(instance, tabulated, {.scenario = scenario});
      const std::size_t first = realisation->trace().index_at(instance.platform_age);
      for (std::size_t i = 0; i < std::size(kFailures); ++i) {
        REQUIRE(realisation->trace().reach(first + kFailures[i] - 1));
        const double date = realisation->trace().failures()[first + kFailures[i] - 1].date;
        const double best = saved_until(instance, date, *realisation, "next-step");
        for (std::size_t j = 0; j < std::size(kOthers); ++j) {
          gains[i][j].add(best - saved_until(instance, date, *realisation, kOthers[j]));
        }
      }
    }
    for (std::size_t i = 0; i < std::size(kFailures); ++i) {
      for (std::size_t j = 0; j < std::size(kOthers); ++j) {
        CAPTURE(law.text());
        CAPTURE(kFailures[i]);
        CAPTURE(kOthers[j]);
        CHECK(gains[i][j].mean() > -3 * *gains[i][j].standard_error());
      }
    }
  }
}

TEST_CASE("rules of a mean: the observed one where it is known, the law's by name") {
  // Observed 100 s on 2 processors: MTBF 50, Young/Daly 20 of 60. The law's mean of 400: 40 of 60.
  Instance instance = job(60, 4, weibull_law_of_mean(0.5, 400), 2);
  instance.observed_mtbf = 100;
  CHECK(planned(instance, "young-daly").cuts == std::vector<double>{20, 40, 60});
  CHECK(planned(instance, "young-daly:mean=observed").cuts == std::vector<double>{20, 40, 60});
  CHECK(planned(instance, "young-daly:mean=law").cuts == std::vector<double>{30, 60});
  CHECK(planned(instance, "daly").cuts != planned(instance, "daly:mean=law").cuts);
  CHECK(planned(instance, "optimal-exponential").cuts !=
        planned(instance, "optimal-exponential:mean=law").cuts);
  // Strategies that plan from the law's hazard do not mind.
  const auto plan = planned(instance, "next-step").cuts;
  instance.observed_mtbf.reset();
  CHECK(planned(instance, "next-step").cuts == plan);
  CHECK(planned(instance, "young-daly").cuts == std::vector<double>{30, 60});
  CHECK(make_strategy(parsed_spec("young-daly:mean=observed"), instance).error().text() ==
        "/failures/log: is missing; strategy 'young-daly:mean=observed' uses the rate observed "
        "in a log");
}
