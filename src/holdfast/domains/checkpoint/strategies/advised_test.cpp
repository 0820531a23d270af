#include "holdfast/domains/checkpoint/plan.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

constexpr double kHours = 3600;

StrategySpec named(std::string_view text) {
  return parse_strategy(text, strategies()).value();
}

// One draw, with all rows; the run is valid.
Metrics ran(const Instance& instance, std::string_view strategy, std::uint64_t scenario,
            std::vector<ScheduleRow>* rows_out = nullptr) {
  REQUIRE(check(instance).has_value());
  const StrategySpec spec = named(strategy);
  const auto rule = make_strategy(spec, as_believed(instance)).value();
  const auto realisation =
      Realisation::make(instance, std::make_shared<const TabulatedLaw>(*instance.law),
                        {.seed = 7, .scenario = scenario});
  std::vector<ScheduleRow> rows;
  const Metrics metrics = simulate(instance, *rule, *realisation, replans(spec), &rows);
  const auto failures = strikes_until(metrics.makespan + 1, instance, *realisation);
  const Status valid = validate(instance, replans(spec), failures, rows, metrics);
  CHECK_MESSAGE(valid.has_value(), (valid ? "" : valid.error().message));
  if (rows_out != nullptr) *rows_out = rows;
  return metrics;
}

Instance aged_job(Law law) {
  Instance job;
  job.work = 60 * kHours;
  job.checkpoint = 300;
  job.recovery = 400;
  job.downtime = 60;
  job.processors = 500;
  job.law = std::move(law);
  job.platform_age = 300 * kHours;
  return job;
}

double mean_makespan(const Instance& job, std::string_view strategy, int draws) {
  double sum = 0;
  for (int i = 0; i < draws; ++i) sum += ran(job, strategy, static_cast<std::uint64_t>(i)).makespan;
  return sum / draws;
}

}  // namespace

TEST_CASE("advised: where the law is trusted it is next-step") {
  const Instance job = aged_job(weibull_law_of_mean(0.7, 2000 * kHours));
  for (std::uint64_t scenario = 0; scenario < 10; ++scenario) {
    const double plan = ran(job, "next-step", scenario).makespan;
    const double advised = ran(job, "advised:trust=inf", scenario).makespan;
    CHECK(std::fabs(advised / plan - 1) < 1e-3);
  }
  const auto rule = make_strategy(named("advised:trust=inf"), job).value();
  const auto best = make_strategy(named("next-step"), job).value();
  const Plan plan = make_plan(job, *rule).value();
  const Plan expected = make_plan(job, *best).value();
  REQUIRE(plan.cuts.size() == expected.cuts.size());
  CHECK(std::fabs(plan.worth.share / expected.worth.share - 1) < 1e-6);
}

TEST_CASE("advised: a wrong belief costs less where the rate corrects itself") {
  Instance job = aged_job(weibull_law_of_mean(0.7, 2000 * kHours));
  job.belief = weibull_law_of_mean(0.7, 8000 * kHours);
  const double uncorrected = mean_makespan(job, "advised:trust=inf", 40);
  const double corrected = mean_makespan(job, "advised", 40);
  job.belief.reset();
  const double known = mean_makespan(job, "advised:trust=inf", 40);
  CHECK(uncorrected > 1.03 * known);
  CHECK(corrected < 1.02 * known);
}

TEST_CASE("advised: the cost is learned") {
  Instance job = aged_job(weibull_law_of_mean(0.7, 2000 * kHours));
  job.checkpoint_spread = 0.5;
  const double known = mean_makespan(job, "advised", 40);
  CHECK(mean_makespan(job, "advised:checkpoint=25min", 40) < 1.02 * known);
  CHECK(mean_makespan(job, "advised:checkpoint=1min", 40) < 1.02 * known);
}

TEST_CASE("simulate: a job saves only at the ends of its iterations") {
  Instance job = aged_job(weibull_law_of_mean(0.7, 2000 * kHours));
  job.work = 60 * kHours + 100;
  job.iteration = 700;
  for (const std::string_view strategy : {"advised", "young-daly", "next-step", "fixed:1h"}) {
    CAPTURE(strategy);
    std::vector<ScheduleRow> rows;
    CHECK(ran(job, strategy, 3, &rows).completed);
    double done = 0;
    for (const ScheduleRow& row : rows) {
      if (row.kind != "work" || row.lost) continue;
      done += row.end - row.start;
      const double iterations = done / 700;
      const bool is_end = std::fabs(done - job.work) < 1e-6;
      CHECK((is_end || std::fabs(iterations - std::round(iterations)) < 1e-9));
    }
  }
  // One that is longer than every segment: a checkpoint after each.
  job.iteration = 20 * kHours;
  job.law = exponential_law(1e7 * kHours);
  CHECK(ran(job, "fixed:1h", 0).checkpoints == 4);
}

TEST_CASE(
    "simulate: checkpoints of some spread have their mean, and every strategy meets the same") {
  Instance job = aged_job(exponential_law(1e9 * kHours));
  job.work = 4000 * kHours;
  job.checkpoint_spread = 0.5;
  std::vector<ScheduleRow> rows;
  ran(job, "fixed:1h", 0, &rows);
  Moments lengths;
  for (const ScheduleRow& row : rows) {
    if (row.kind == "checkpoint") lengths.add(row.end - row.start);
  }
  REQUIRE(lengths.count() == 4000);
  CHECK(std::fabs(lengths.mean() / 300 - 1) < 0.03);
  CHECK(std::fabs(*lengths.standard_deviation() / 300 - 0.5) < 0.05);
  std::vector<ScheduleRow> others;
  ran(job, "fixed:2h", 0, &others);
  CHECK(others[1].end - others[1].start == doctest::Approx(rows[1].end - rows[1].start));
}

TEST_CASE("clairvoyant is no bound where a job cannot save at any time") {
  Instance job = aged_job(exponential_law(1000 * kHours));
  job.iteration = 60;
  const auto made = make_strategy(named("clairvoyant"), job);
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().where == "/iteration");
}
