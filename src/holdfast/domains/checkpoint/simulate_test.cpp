#include "holdfast/domains/checkpoint/simulate.hpp"

#include "holdfast/domains/checkpoint/progress.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/testing.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

StrategySpec spec(std::string_view text) {
  return parse_strategy(text, strategies()).value();
}

struct Ran {
  Metrics metrics;
  std::vector<ScheduleRow> rows;
  Status valid;
};

// One run, validated.
Ran run(const Instance& instance, std::string_view strategy, const Draw& draw = {}) {
  REQUIRE(check(instance).has_value());
  const StrategySpec chosen = spec(strategy);
  const bool plans_anew = replans(chosen);
  const auto rule = make_strategy(chosen, instance).value();
  const auto law = instance.law ? std::make_shared<const TabulatedLaw>(*instance.law) : nullptr;
  const auto realisation = Realisation::make(instance, law, draw);
  Ran ran;
  ran.metrics = simulate(instance, *rule, *realisation, plans_anew, &ran.rows);
  const auto failures = strikes_until(ran.metrics.makespan + 1, instance, *realisation);
  ran.valid = validate(instance, plans_anew, failures, ran.rows, ran.metrics);
  return ran;
}

Instance job(double work, double checkpoint, double recovery, double downtime) {
  Instance out;
  out.work = work;
  out.checkpoint = checkpoint;
  out.recovery = recovery;
  out.downtime = downtime;
  out.events.emplace();
  return out;
}

void fail_at(Instance& instance, const std::vector<double>& dates) {
  for (const double date : dates) instance.events->push_back({date, 0});
}

}  // namespace

TEST_CASE("simulate: 100 s in two segments, checkpoint 10 s, recovery 2 s, downtime 1 s") {
  struct Row {
    std::string_view why;
    std::vector<double> failures;
    double makespan;
    std::int64_t interruptions;
  };
  const Row rows[] = {
      {"no failure: 60 + 60", {}, 120, 0},
      {"loses 10 s of the second segment: 70 + 1 + 2 + 60", {70}, 133, 1},
      {"at the instant a checkpoint ends, it is kept: 60 + 1 + 2 + 60", {60}, 123, 1},
      {"just before, it is lost: 59.5 + 1 + 2 + 60 + 60", {59.5}, 182.5, 1},
      {"during the downtime, it does not count", {70, 70.5}, 133, 1},
      {"at the end of the downtime, it strikes the recovery: 71 + 1 + 2 + 60", {70, 71}, 134, 2},
      {"during the recovery, it counts: 72 + 1 + 2 + 60", {70, 72}, 135, 2},
      {"at the end of the recovery, it strikes the segment: 73 + 1 + 2 + 60", {70, 73}, 136, 2},
      {"at the end of the job, nothing is left to strike", {120}, 120, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    Instance instance = job(100, 10, 2, 1);
    fail_at(instance, row.failures);
    const Ran ran = run(instance, "fixed:50");
    CHECK(ran.metrics.makespan == row.makespan);
    CHECK(ran.metrics.failures == row.interruptions);
    CHECK(ran.metrics.checkpoints == 2);
    CHECK(ran.metrics.completed);
    CHECK_MESSAGE(ran.valid.has_value(), (ran.valid ? "" : ran.valid.error().text()));
  }
}

TEST_CASE("simulate: 100 s in submissions of 45 s, checkpoint 10 s, recovery 2 s, downtime 1 s") {
  struct Row {
    std::string_view why;
    std::string_view strategy;
    std::vector<double> failures;
    double makespan;
    std::int64_t submissions;
    std::int64_t checkpoints;
  };
  const Row rows[] = {
      // One checkpoint in each: 35 + 10, then 2 + 33 + 10, 2 + 32 + 10.
      {"saves 35 s, 33 s and 32 s", "none", {}, 45 + 45 + 44, 3, 3},
      // 20 + 10, then 5 + 10 to the end; 2 + 20 + 10, 3 + 10; 2 + 20 + 10, 3 + 10; 2 + 20 + 10, 3 + 10; 2 + 6 + 10
      {"cuts every second segment", "fixed:20", {}, 4 * 45 + 18, 5, 9},
      // 32 + 10 leaves 3 s, in which nothing is saved: the submission ends at 42. 2 + 32 + 10 leaves 1 s. 2 + 32 + 10, 2 + 4 + 10.
      {"ends where nothing more is saved", "fixed:32", {}, 42 + 44 + 44 + 16, 4, 4},
      // Struck at 40: 1 + 2, and from 43 on nothing is saved. 2 + 33 + 10, 2 + 33 + 10, 2 + 33 + 10, 2 + 1 + 10.
      {"fails, and goes on in the next", "none", {40}, 43 + 3 * 45 + 13, 5, 4},
      {"fails just before the end: 0.5 s of downtime", "none", {44.5}, 45 + 3 * 45 + 13, 5, 4},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    Instance instance = job(100, 10, 2, 1);
    instance.time_limit = 45;
    fail_at(instance, row.failures);
    const Ran ran = run(instance, row.strategy);
    CHECK(ran.valid.has_value());
    CHECK(ran.metrics.makespan == row.makespan);
    CHECK(ran.metrics.submissions == row.submissions);
    CHECK(ran.metrics.checkpoints == row.checkpoints);
  }
  // At multiples of 20 s only: 20 + 10, and 15 s are not enough for more. 2 + 20 + 10 in each of the next four.
  Instance steps = job(100, 10, 2, 1);
  steps.time_limit = 45;
  steps.iteration = 20;
  const Ran ran = run(steps, "none");
  CHECK(ran.valid.has_value());
  CHECK(ran.metrics.makespan == 30 + 4 * 32);
  CHECK(ran.metrics.submissions == 5);
}

TEST_CASE("simulate: a recovery that is cut short ends at its failure, to the last bit") {
  Instance instance = job(100, 10, 10, 0);
  fail_at(instance, {1.6, 6.3});  // 1.6 + (6.3 - 1.6) is less than 6.3
  const Ran ran = run(instance, "fixed:50");
  REQUIRE(ran.rows.size() > 3);
  CHECK(ran.rows[1].kind == "failure");
  CHECK(ran.rows[2].kind == "recovery");
  CHECK(ran.rows[2].end == 6.3);
  CHECK_MESSAGE(ran.valid.has_value(), (ran.valid ? "" : ran.valid.error().text()));
}

TEST_CASE("simulate: planning time is part of each recovery of a strategy that plans again") {
  Instance instance = job(100, 10, 2, 1);
  instance.law = exponential_law(1e9);
  instance.planning = {.mode = PlanningTime::Mode::fixed, .seconds = 0.5};
  fail_at(instance, {70, 73.25});
  // 70 + 1 + 2.5 is struck at 73.25; then 1 + 2.5 + 110
  CHECK(run(instance, "next-step").metrics.makespan == 73.25 + 1 + 2.5 + 110);
  // one that does not: 70 + 1 + 2 = 73, struck in the segment
  CHECK(run(instance, "none").metrics.makespan == 73.25 + 1 + 2 + 110);

  instance.planning.mode = PlanningTime::Mode::measured;
  const Ran ran = run(instance, "next-step");
  CHECK(ran.metrics.makespan > 73.25 + 1 + 2 + 110);
  CHECK(ran.metrics.makespan < 73.25 + 1 + 2 + 110 + 1);
  CHECK(ran.valid.has_value());
}

TEST_CASE("simulate: a run without horizon that cannot end is given up, and is no result") {
  struct Row {
    double work;
    std::int64_t failures;
  };
  // MTBF 60 s, C = 600 s, R = 6 s, one segment
  const Row rows[] = {
      {1e6, 1000},    // a chance of exp(-1e6 / 60) for each attempt: seen at the first look
      {1e300, 1000},  // more than 2e7 MTBFs of work
      {60 * 20 - 600, kMostWithoutProgress},  // exp(-20) = 2e-9: nobody can be sure
  };
  for (const Row& row : rows) {
    Instance instance = job(row.work, 600, 6, 60);
    instance.law = exponential_law(60);
    instance.events.reset();
    const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
    const auto rule = make_strategy(spec("none"), instance).value();
    const auto realisation = Realisation::make(instance, law, {});
    const Metrics metrics = simulate(instance, *rule, *realisation, false);
    CAPTURE(row.work);
    CHECK_FALSE(metrics.completed);
    CHECK(metrics.given_up);
    CHECK_FALSE(outcome(metrics).in_statistics);
    CHECK(metrics.failures == row.failures);
    CHECK(metrics.efficiency == 0);
  }
}

TEST_CASE("simulate: a run that meets the horizon is a result, however hopeless") {
  Instance instance = job(1e6, 600, 600, 60);
  instance.law = exponential_law(60);
  instance.events.reset();
  instance.horizon = 1e6;
  const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
  const auto rule = make_strategy(spec("none"), instance).value();
  const auto realisation = Realisation::make(instance, law, {});
  const Metrics metrics = simulate(instance, *rule, *realisation, false);
  CHECK(metrics.makespan == 1e6);
  CHECK(metrics.failures > 1000);
  CHECK_FALSE(metrics.completed);
  CHECK(outcome(metrics).in_statistics);
}

TEST_CASE("simulate: every strategy, law and option obeys the model") {
  static const Law kLaws[] = {exponential_law(3000), weibull_law_of_mean(0.5, 3000),
                              weibull_law_of_mean(1.5, 3000), gamma_law_of_mean(0.5, 3000),
                              lognormal_law_of_mean(3000, 2)};
  CHECK(rc::check([] {
    const auto some = [](int low, int high) { return *rc::gen::inRange(low, high) * 0.25; };
    Instance instance;
    instance.work = some(1, 4000);
    instance.checkpoint = some(1, 200);
    instance.recovery = some(0, 100);
    instance.downtime = some(0, 40);
    instance.processors = *rc::gen::inRange(1, 12);
    instance.law = kLaws[*rc::gen::inRange<std::size_t>(0, std::size(kLaws))];
    instance.platform_age = some(0, 8000);
    instance.horizon = instance.platform_age + some(1, 40000);
    instance.ends = {*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
    if (*rc::gen::inRange(0, 4) == 0) instance.rejuvenation = Rejuvenation::all;
    if (*rc::gen::inRange(0, 4) == 0) {
      instance.planning = {.mode = PlanningTime::Mode::fixed, .seconds = some(0, 40)};
    }
    if (*rc::gen::inRange(0, 3) == 0) {
      instance.ages = {{.age = instance.platform_age / 2, .count = instance.processors}};
    }
    const bool has_local = *rc::gen::arbitrary<bool>();
    if (has_local) {
      instance.local = {.checkpoint = some(1, 100),
                        .recovery = some(0, 50),
                        .share = *rc::gen::inRange(0, 5) * 0.25};
    }
    const bool is_limited = !has_local && *rc::gen::inRange(0, 3) == 0;
    if (is_limited) {
      instance.iteration = some(0, 40);
      instance.time_limit = instance.checkpoint + instance.recovery + instance.planning.seconds +
                            instance.iteration + some(20, 2000);
      if (*rc::gen::arbitrary<bool>()) instance.checkpoint_spread = 0.5;
    }
    const Draw draw{.seed = *rc::gen::arbitrary<std::uint64_t>()};
    for (const StrategyEntry& row : strategies()) {
      if (row.name == "as-given" || row.takes_rule) continue;
      if (row.name == (has_local ? "clairvoyant" : "two-level")) continue;
      if (row.name == "clairvoyant" && is_limited) continue;
      if (row.name == "next-step-grid" && instance.checkpoint < 1) continue;  // slow
      const std::string text = row.name == "lazy"    ? "lazy:shape=0.6"
                               : row.name != "fixed" ? std::string(row.name)
                               : has_local           ? "fixed:17.25:locals=2"
                                                     : "fixed:17.25";
      const Ran ran = run(instance, text, draw);
      if (!ran.valid) RC_FAIL(text + ": " + ran.valid.error().text());
      // A plan of n checkpoints cannot take less than the work and their cost.
      const double cheapest = has_local ? std::min(instance.checkpoint, instance.local.checkpoint)
                                        : instance.checkpoint;
      if (instance.checkpoint_spread > 0) continue;
      const double least = instance.work + static_cast<double>(ran.metrics.checkpoints) * cheapest;
      if (ran.metrics.completed) RC_ASSERT(ran.metrics.makespan >= least * (1 - 1e-12));
      if (ran.metrics.completed && ran.metrics.failures == 0 && !has_local && !is_limited) {
        RC_ASSERT(std::fabs(ran.metrics.makespan - least) <= 1e-9 * least);
      }
    }
  }));
}

TEST_CASE("simulate: measuring time in another unit changes nothing but the unit") {
  CHECK(rc::check([](std::vector<unsigned short> gaps) {
    Instance once = job(90000, 10, 2, 1);
    once.law = exponential_law(1e6);
    Instance twice = job(180000, 20, 4, 2);
    twice.law = exponential_law(2e6);
    double date = 0;
    for (const auto gap : gaps) {
      date += gap + 0.5;
      once.events->push_back({date, 0});
      twice.events->push_back(
          {2 * date, 0});  // a power of two is exact in binary, so == below is right
    }
    for (const char* strategy : {"young-daly", "daly", "optimal-exponential"}) {
      const Metrics a = run(once, strategy).metrics;
      const Metrics b = run(twice, strategy).metrics;
      RC_ASSERT(b.makespan == 2 * a.makespan);
      RC_ASSERT(b.failures == a.failures);
      RC_ASSERT(b.efficiency == a.efficiency);
    }
  }));
}

TEST_CASE("simulate: the same draw is the same run, whoever ran before on the same realisation") {
  Instance instance = job(20000, 60, 60, 6);
  instance.events.reset();
  instance.processors = 500;
  instance.law = weibull_law_of_mean(0.7, 1e6);
  instance.platform_age = 1e5;
  const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
  const auto shared = Realisation::make(instance, law, {.scenario = 3});
  std::vector<Metrics> first;
  for (const char* text : {"next-step", "young-daly", "local-young-daly", "next-step"}) {
    const StrategySpec chosen = spec(text);
    const auto rule = make_strategy(chosen, instance).value();
    const Metrics metrics = simulate(instance, *rule, *shared, replans(chosen));
    const Metrics alone = run(instance, text, {.scenario = 3}).metrics;
    CHECK(metrics.makespan == alone.makespan);
    CHECK(metrics.failures == alone.failures);
  }
}

TEST_CASE(
    "simulate: exponential failures, mean makespan within 4 standard errors of the closed form") {
  struct Row {
    double work, checkpoint, recovery, downtime;
    JobEnds ends;
  };
  const Row rows[] = {
      {10000, 60, 60, 6, {}},
      {10000, 300, 400, 30, {}},
      {10000, 300, 400, 30, {.final_checkpoint = false, .initial_recovery = false}},
      {10000, 300, 400, 30, {.final_checkpoint = true, .initial_recovery = false}},
  };
  for (const Row& row : rows) {
    Instance instance = job(row.work, row.checkpoint, row.recovery, row.downtime);
    instance.events.reset();
    instance.ends = row.ends;
    instance.processors = 20;
    instance.law = exponential_law(20 * 2000.0);
    instance.platform_age = 5e4;
    const double expected =
        optimal_job(row.work, instance.costs(), 1 / 2000.0, row.ends).expected_time;
    const Moments found = testing::makespans(instance, "optimal-exponential", 4000);
    CAPTURE(found.mean());
    CAPTURE(expected);
    CHECK(testing::is_within_errors(found, expected, 4));
  }
}

TEST_CASE("simulate: NextStep is not optimal: two segments where one is better") {
  Instance instance = job(960, 500, 0, 0);
  instance.events.reset();
  instance.law = exponential_law(1000);
  const Moments found = testing::makespans(instance, "next-step", 20'000);
  // first cut at 583.686: E(583.686) + E(376.314) = 3357.58; one segment takes 3305.96
  CAPTURE(found.mean());
  CHECK(testing::is_within_errors(found, 3357.582913, 4));
}

TEST_CASE("validate: finds what is wrong in a timeline") {
  Instance instance = job(100, 10, 2, 1);
  fail_at(instance, {70, 71.5});
  const std::vector<Strike> dates{{70}, {71.5}};
  using Rows = std::vector<ScheduleRow>;
  const Rows right = {{"work", 0, 50, false},
                      {"checkpoint", 50, 60, false},
                      {"work", 60, 70, true},
                      {"failure", 70, 70, false},
                      {"downtime", 70, 71, false},
                      {"recovery", 71, 71.5, true},
                      {"failure", 71.5, 71.5, false},
                      {"downtime", 71.5, 72.5, false},
                      {"recovery", 72.5, 74.5, false},
                      {"work", 74.5, 124.5, false},
                      {"checkpoint", 124.5, 134.5, false}};
  const Metrics metrics{
      .makespan = 134.5, .failures = 2, .checkpoints = 2, .efficiency = 100 / 134.5};
  const auto verdict = [&](const Rows& rows, const Metrics& said) {
    return validate(instance, false, dates, rows, said);
  };
  CHECK(verdict(right, metrics).has_value());

  const auto changed = [&](std::size_t row, std::string_view kind, double start, double end,
                           bool lost) {
    Rows rows = right;
    rows[row] = {kind, start, end, lost};
    const Status status = verdict(rows, metrics);
    return status ? std::string() : status.error().text();
  };
  CHECK(changed(0, "work", 1, 50, false) ==
        "row 0: starts at 1, expected 0: the end of the row before");
  CHECK(changed(1, "work", 50, 60, false) == "row 0: is not checkpointed");
  CHECK(changed(1, "checkpoint", 50, 60, true) == "row 1: is lost at 60, but nothing fails there");
  CHECK(changed(2, "work", 60, 70, false) == "row 2: is not checkpointed");
  CHECK(changed(3, "downtime", 70, 71, false) ==
        "row 3: is a downtime, but a failure strikes there");
  CHECK(changed(4, "work", 70, 71, false) == "row 4: works before it has recovered");
  CHECK(changed(4, "failure", 70, 70, false) ==
        "row 4: is a failure, but no failure strikes there");
  CHECK(changed(4, "recovery", 70, 71, false) == "row 4: follows no failure and its downtime");
  CHECK(changed(5, "recovery", 71, 71.5, false) == "row 5: recovery takes 0.5 s, expected 2 s");
  CHECK(changed(7, "sleep", 71.5, 72.5, false) == "row 7: has the unknown kind 'sleep'");
  CHECK(changed(10, "checkpoint", 124.5, 134.5, true) ==
        "row 10: is lost at 134.5, but nothing fails there");

  Metrics wrong = metrics;
  wrong.failures = 1;
  CHECK(verdict(right, wrong).error().text() == "row 10: 1 failures, but the rows show 2");
  wrong = metrics;
  wrong.completed = false;
  CHECK_FALSE(verdict(right, wrong).has_value());
  Rows late = right;
  late[2] = {"work", 60, 71, true};
  late[3] = {"failure", 71, 71, false};
  CHECK(verdict(late, metrics).error().text() == "row 2: work until 71 survives the failure at 70");
}
