#include "holdfast/domains/checkpoint/efficiency.hpp"

#include "holdfast/domains/checkpoint/optimum/optimum.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/testing.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string_view>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

constexpr double kAMinute = 60;
constexpr double kAnHour = 3600;
constexpr double kADay = 86400;

StrategySpec spec_of(std::string_view text) {
  return parse_strategy(text, strategies()).value();
}

std::optional<Efficiency> efficiency(const Instance& job, std::string_view strategy) {
  REQUIRE(check(job).has_value());
  const StrategySpec spec = spec_of(strategy);
  const auto rule = make_strategy(spec, job).value();
  return efficiency_of(job, spec, make_plan(job, *rule).value()).value();
}

// A failure every 3.1 h, a checkpoint of 1 min.
Instance training(double recovery) {
  Instance job;
  job.work = 54 * kADay;
  job.checkpoint = kAMinute;
  job.recovery = recovery;
  job.law = exponential_law(3.1 * kAnHour);
  return job;
}

}  // namespace

TEST_CASE("efficiency: recoveries count, which the share before a failure does not know") {
  const Instance quick = training(15 * kAMinute);
  const Instance slow = training(3 * kAnHour);
  for (const Instance& job : {quick, slow}) {
    const auto rule = make_strategy(spec_of("next-step"), job).value();
    CHECK(make_plan(job, *rule)->worth.share == doctest::Approx(0.899858).epsilon(1e-6));
  }
  CHECK(efficiency(quick, "next-step")->value == doctest::Approx(0.8301).epsilon(1e-4));
  CHECK(efficiency(slow, "next-step")->value == doctest::Approx(0.3419).epsilon(1e-4));
}

TEST_CASE("efficiency: lemma 26, with all costs, for a job without end") {
  Instance job = training(10 * kAMinute);
  job.work = Instance::kNever;
  job.downtime = 5 * kAMinute;
  job.processors = 31;
  job.law = exponential_law(31 * 3.1 * kAnHour);
  const double rate = 1 / (3.1 * kAnHour);
  const double period = 20 * kAMinute;
  const double expected = period / ((1 / rate + job.downtime) * std::exp(rate * job.recovery) *
                                    std::expm1(rate * (period + job.checkpoint)));
  const auto found = efficiency(job, "fixed:20min");
  CHECK(found->value == doctest::Approx(expected).epsilon(1e-9));
  CHECK(found->scenarios == 0);
  // What a job without end does at its ends is never seen.
  job.ends = {.final_checkpoint = false, .initial_recovery = false};
  CHECK(efficiency(job, "fixed:20min")->value == found->value);
}

TEST_CASE(
    "efficiency: the closed form is the mean of runs, with each end of the job and on two levels") {
  struct Row {
    std::string_view why, strategy;
    JobEnds ends = {};
    bool has_levels = false;
    double iteration = 0;
  };
  const Row rows[] = {
      {"equal segments", "young-daly"},
      {"planned again after each failure", "next-step"},
      {"one segment", "none"},
      {"no last checkpoint", "next-step", {.final_checkpoint = false}},
      {"no first recovery", "young-daly", {.initial_recovery = false}},
      {"saves between iterations", "next-step", {}, false, 7 * kAMinute},
      {"iterations longer than a period", "fixed:5min", {}, false, 50 * kAMinute},
      {"two levels", "two-level", {}, true},
      {"two levels, the last pattern cut short", "fixed:20min:locals=3", {}, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    Instance job = training(20 * kAMinute);
    job.work = 8 * kAnHour;
    job.checkpoint = 10 * kAMinute;
    job.downtime = 5 * kAMinute;
    job.ends = row.ends;
    job.iteration = row.iteration;
    if (row.has_levels) job.local = {.checkpoint = kAMinute, .recovery = kAMinute, .share = 0.8};
    const auto exact = efficiency(job, row.strategy);
    REQUIRE(exact);
    CHECK(exact->scenarios == 0);
    const Moments runs = testing::makespans(job, row.strategy, 4000);
    CHECK(testing::is_within_errors(runs, job.work / exact->value, 4));
  }
}

TEST_CASE("efficiency: it is the least expected makespan of optimum, where that is the plan's") {
  Instance job = training(15 * kAMinute);
  job.work = kADay;
  const std::vector specs = {spec_of("next-step")};
  const auto optimum = find_optimum(job, specs, 400, {});
  const double expected = job.work / optimum->strategies.front().value;
  CHECK(efficiency(job, "next-step")->value == doctest::Approx(expected).epsilon(1e-5));
}

TEST_CASE("efficiency: other laws, by the runs of `simulate`") {
  Instance job = training(15 * kAMinute);
  job.work = 10 * kADay;
  job.processors = 100;
  job.law = weibull_law_of_mean(0.7, 310 * kAnHour);
  job.platform_age = 30 * kADay;
  const auto found = efficiency(job, "next-step");
  REQUIRE(found);
  CHECK(found->scenarios == 20);
  const Moments runs = testing::makespans(job, "next-step", 20);
  CHECK(found->value == doctest::Approx(job.work / runs.mean()).epsilon(1e-12));
  // All the work is done in each run, so that only the time differs.
  CHECK(found->standard_error ==
        doctest::Approx(found->value * *runs.standard_error() / runs.mean()).epsilon(1e-9));
  CHECK(efficiency(job, "next-step") == found);  // the same on each call

  const Moments many = testing::makespans(job, "next-step", 400);
  CHECK(std::abs(found->value - job.work / many.mean()) < 4 * found->standard_error);
}

TEST_CASE("efficiency: in the long run of another law, ages do not matter") {
  Instance job = training(15 * kAMinute);
  job.work = Instance::kNever;
  job.processors = 1000;
  job.law = weibull_law_of_mean(0.5, 3100 * kAnHour);
  const auto young = efficiency(job, "next-step");
  job.platform_age = 10 * 365 * kADay;
  const auto old = efficiency(job, "next-step");
  CHECK(young->value == doctest::Approx(old->value).epsilon(0.02));  // with fewer runs
  // A thousand processors of every age fail nearly as if memoryless.
  job.law = exponential_law(3100 * kAnHour);
  CHECK(std::abs(young->value - efficiency(job, "next-step")->value) < 0.02);
}

TEST_CASE("efficiency: what takes too long is left out, and what never ends") {
  Instance job = training(15 * kAMinute);
  job.law = weibull_law_of_mean(0.7, 3.1 * kAnHour);
  job.work = 1000 * 365 * kADay;
  CHECK(!efficiency(job, "next-step"));
  job.work = 54 * kADay;
  job.recovery = 2000 * kAnHour;
  CHECK(efficiency(job, "next-step")->value == 0);
  job.checkpoint_spread = 0.5;  // random costs have no closed form
  job.recovery = 15 * kAMinute;
  job.law = exponential_law(3.1 * kAnHour);
  CHECK(efficiency(job, "next-step")->scenarios == 20);
}
