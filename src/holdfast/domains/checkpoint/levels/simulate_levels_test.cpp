#include "holdfast/domains/checkpoint/levels/pattern.hpp"
#include "holdfast/domains/checkpoint/plan.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/testing.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

StrategySpec spec_of(std::string_view text) {
  return parse_strategy(text, strategies()).value();
}

// 120 s of work in segments of 20 s, C1 = 2, C = 10, R1 = 3, R = 8, D = 1.
Instance two_level_job(double share, const std::vector<double>& dates) {
  Instance out;
  out.work = 120;
  out.checkpoint = 10;
  out.recovery = 8;
  out.downtime = 1;
  out.local = {.checkpoint = 2, .recovery = 3, .share = share};
  out.events.emplace();
  for (const double date : dates) out.events->push_back({date, 0});
  return out;
}

struct Followed {
  Metrics metrics;
  std::vector<ScheduleRow> rows;
  std::vector<Strike> failures;
};

// One run, validated.
Followed follow(const Instance& instance, std::string_view strategy, const Draw& draw = {}) {
  REQUIRE(check(instance).has_value());
  const StrategySpec spec = spec_of(strategy);
  const auto rule = make_strategy(spec, instance).value();
  const auto law = instance.law ? std::make_shared<const TabulatedLaw>(*instance.law) : nullptr;
  const auto realisation = Realisation::make(instance, law, draw);
  Followed out;
  out.metrics = simulate(instance, *rule, *realisation, replans(spec), &out.rows);
  out.failures = strikes_until(out.metrics.makespan + 1, instance, *realisation);
  const Status valid = validate(instance, replans(spec), out.failures, out.rows, out.metrics);
  CHECK_MESSAGE(valid.has_value(), (valid ? "" : valid.error().text()));
  return out;
}

// The same job in steps of a quarter of a second: nothing of the simulator is repeated but its rules.
class ByTheClock {
 public:
  ByTheClock(const Instance& job, double period, std::int64_t locals)
      : job_{job}, period_{period}, locals_{locals} {}

  double makespan(const std::vector<Strike>& failures) {
    begin_work();
    std::size_t next = 0;
    double now = 0;
    while (!is_done_) {
      for (; next < failures.size() && failures[next].date == now; ++next) strike(failures[next]);
      now += 0.25;
      rest_ -= 0.25;
      while (rest_ == 0 && !is_done_) pass_on();
    }
    return now;
  }

 private:
  enum class Doing : std::uint8_t { work, save, down, recover };

  void begin_work() {
    doing_ = Doing::work;
    rest_ = std::min(period_, job_.work - safe_);
  }
  void pass_on() {
    if (doing_ == Doing::down) {
      doing_ = Doing::recover;
      rest_ = since_global_ > 0 ? job_.local.recovery : job_.recovery;
    } else if (doing_ == Doing::recover) {
      begin_work();
    } else if (doing_ == Doing::work) {
      segment_ = std::min(period_, job_.work - safe_);
      is_global_ = since_global_ == locals_ || safe_ + segment_ == job_.work;
      doing_ = Doing::save;
      rest_ = is_global_ ? job_.checkpoint : job_.local.checkpoint;
    } else {
      safe_ += segment_;
      since_global_ = is_global_ ? 0 : since_global_ + 1;
      if (is_global_) safe_globally_ = safe_;
      is_done_ = safe_ == job_.work;
      begin_work();
    }
  }
  void strike(const Strike& failure) {
    if (failure.survivor == Level::global) {
      safe_ = safe_globally_;
      since_global_ = 0;
    }
    if (doing_ == Doing::down) return;
    doing_ = Doing::down;
    rest_ = job_.downtime;
    while (rest_ == 0) pass_on();
  }

  const Instance& job_;
  double period_;
  std::int64_t locals_;
  Doing doing_ = Doing::work;
  double rest_ = 0;
  double segment_ = 0;
  double safe_ = 0;
  double safe_globally_ = 0;
  std::int64_t since_global_ = 0;
  bool is_global_ = false;
  bool is_done_ = false;
};

}  // namespace

TEST_CASE("two levels: with the present failure rate, for any law") {
  Instance job;
  job.work = 400'000;
  job.processors = 1000;
  job.checkpoint = 600;
  job.recovery = 600;
  job.local = {.checkpoint = 30, .recovery = 30, .share = 0.8};
  job.law = exponential_law(9e6);
  const auto mean = [&](std::string_view strategy) {
    return checkpoint::testing::makespans(job, strategy, 40).mean();
  };
  // Memoryless: as good as the pattern that is chosen once.
  CHECK(std::fabs(mean("two-level:by=now") / mean("two-level:by=first-order") - 1) < 0.01);
  // A young platform with infant mortality: failures come far more often than in the long run.
  job.law = weibull_law_of_mean(0.5, 9e7);
  job.platform_age = 86400;
  CHECK(mean("two-level:by=now") < 0.95 * mean("two-level:by=first-order"));
  CHECK(mean("two-level:by=now") < mean("local-young-daly"));
  CHECK(follow(job, "two-level:by=now").metrics.completed);
}

TEST_CASE("two levels: 120 s in six segments, every third checkpoint of the file system") {
  struct Row {
    std::string_view why;
    double share;
    std::vector<double> failures;
    double makespan;
    std::int64_t checkpoints;
  };
  // Undisturbed: twice 22 + 22 + 30.
  const Row rows[] = {
      {"no failure", 0.5, {}, 148, 6},
      {"survived: loses 6 s of the third segment, 50 + 1 + 3 + 30 + 74", 1, {50}, 158, 6},
      {"not: back to the start, 50 + 1 + 8 + 148", 0, {50}, 207, 8},
      {"not, after the global one: 80 + 1 + 8 + 74", 0, {80}, 163, 6},
      {"at the end of a local one, which a failure of the kind keeps: 44 + 1 + 3 + 30 + 74",
       1,
       {44},
       152,
       6},
      {"and of the other kind does not: 44 + 1 + 8 + 148", 0, {44}, 201, 8},
      {"in the local recovery: 52 + 1 + 3 + 30 + 74", 1, {50, 52}, 160, 6},
      {"during the downtime", 1, {50, 50.5}, 158, 6},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const Followed run = follow(two_level_job(row.share, row.failures), "fixed:20:locals=2");
    CHECK(run.metrics.makespan == row.makespan);
    CHECK(run.metrics.checkpoints == row.checkpoints);
    CHECK(run.metrics.completed);
  }
}

TEST_CASE("two levels: what was in local checkpoints shows as lost where a failure destroys it") {
  const Followed run = follow(two_level_job(0, {50}), "fixed:20:locals=2");
  const std::pair<std::string_view, bool> expected[] = {
      {"work", true}, {"local checkpoint", true}, {"work", true},      {"local checkpoint", true},
      {"work", true}, {"failure", false},         {"downtime", false}, {"recovery", false},
      {"work", false}};
  REQUIRE(run.rows.size() > std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    CAPTURE(i);
    CHECK(run.rows[i].kind == expected[i].first);
    CHECK(run.rows[i].lost == expected[i].second);
  }
}

TEST_CASE("two levels: the clock agrees, whatever fails") {
  CHECK(rc::check([] {
    Instance job = two_level_job(*rc::gen::inRange(0, 5) * 0.25, {});
    job.work = *rc::gen::inRange(1, 200);
    job.downtime = *rc::gen::inRange(0, 4);
    job.recovery = *rc::gen::inRange(1, 10);
    job.local.recovery = *rc::gen::inRange(0, 5);
    job.local.checkpoint = *rc::gen::inRange(1, 6);
    double date = 0;
    for (const int gap : *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 400))) {
      date += 0.25 * gap;
      job.events->push_back({date, 0});
    }
    const int period = *rc::gen::inRange(1, 40);
    const int locals = *rc::gen::inRange(1, 5);
    const auto text = "fixed:" + std::to_string(period) + ":locals=" + std::to_string(locals);
    const Draw draw{.seed = *rc::gen::arbitrary<std::uint64_t>()};
    const Followed run = follow(job, text, draw);
    std::vector<Strike> all;  // the clock needs those that are still to come as well
    const auto realisation = Realisation::make(job, nullptr, draw);
    all = strikes_until(date + 1, job, *realisation);
    RC_ASSERT(run.metrics.makespan == ByTheClock(job, period, locals).makespan(all));
  }));
}

TEST_CASE("two levels: mean makespans are within 4 standard errors of the expectation") {
  for (const double share : {0.5, 0.9}) {
    Instance job;
    job.work = 60'000;
    job.checkpoint = 600;
    job.recovery = 600;
    job.downtime = 60;
    job.local = {.checkpoint = 30, .recovery = 30, .share = share};
    job.processors = 10;
    job.law = exponential_law(10 * 9000.0);
    const JobPattern cut = best_pattern_of_job(job.work, levels_of(job), 1.0 / 9000);
    const double expected =
        static_cast<double>(cut.patterns) * expected_time(cut.pattern, levels_of(job), 1.0 / 9000);
    const Moments found = testing::makespans(job, "two-level", 4000);
    CAPTURE(found.mean());
    CAPTURE(expected);
    CHECK(testing::is_within_errors(found, expected, 4));
  }
}

TEST_CASE("two levels: the validator finds what is wrong") {
  const Instance job = two_level_job(0.5, {50});
  using Rows = std::vector<ScheduleRow>;
  Instance severe = job;
  severe.local.share = 0;
  const Rows right = follow(severe, "fixed:20:locals=2").rows;
  const Metrics metrics = follow(severe, "fixed:20:locals=2").metrics;
  const auto verdict = [&](const Rows& rows, Level survivor) {
    const std::vector<Strike> failures{{.date = 50, .survivor = survivor}};
    const Status status = validate(job, false, failures, rows, metrics);
    return status ? std::string() : status.error().text();
  };
  CHECK(verdict(right, Level::global).empty());
  CHECK(verdict(right, Level::local) ==
        "row 7: is a recovery, but the failures before it leave local checkpoints");
  Rows kept = right;
  kept[0].lost = kept[1].lost = false;
  CHECK(verdict(kept, Level::global) ==
        "row 4: 1 local checkpoints count as kept, but the failure at 50 destroys them");
  Rows lost = right;
  lost[8].lost = lost[9].lost = true;
  CHECK(verdict(lost, Level::global) ==
        "row 13: 1 local checkpoints count as lost, but no failure destroys them");
  Rows local = right;
  local[7].kind = "local recovery";
  CHECK(verdict(local, Level::global) ==
        "row 7: is a local recovery, but the failures before it leave global checkpoints alone");
  Rows other = right;
  other[9].end = other[10].start = other[9].end + 1;
  CHECK(verdict(other, Level::global) == "row 9: local checkpoint takes 3 s, expected 2 s");
}

TEST_CASE("two levels: a larger share survives all that a smaller one does") {
  Instance job = two_level_job(0.5, {});
  const auto realisation = Realisation::make(job, nullptr, {.seed = 3});
  int survived = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    if (realisation->survivor(i, 0.3) == Level::local)
      CHECK(realisation->survivor(i, 0.4) == Level::local);
    survived += realisation->survivor(i, 0.3) == Level::local ? 1 : 0;
    CHECK(realisation->survivor(i, 0) == Level::global);
    CHECK(realisation->survivor(i, 1) == Level::local);
  }
  CHECK(std::abs(survived - 600) < 4 * std::sqrt(2000 * 0.3 * 0.7));
}

TEST_CASE("two levels: what a plan is worth until the next failure") {
  Instance job = two_level_job(0.75, {});
  job.work = 40;
  job.events.reset();
  job.law = exponential_law(50);
  const auto rule = make_strategy(spec_of("fixed:20:locals=1"), job).value();
  const Plan plan = make_plan(job, *rule).value();
  REQUIRE(plan.levels == std::vector<Level>{Level::local, Level::global});
  const double first = std::exp(-22.0 / 50);
  const double second = std::exp(-52.0 / 50);
  CHECK(plan.worth.expected_work ==
        doctest::Approx(20 * (0.75 * first + 0.25 * second) + 20 * second).epsilon(1e-9));
  CHECK(plan.worth.expected_time == doctest::Approx(50 * (1 - second)).epsilon(1e-9));
}

TEST_CASE("two levels: strategies that write local checkpoints need a job that has them") {
  Instance job = two_level_job(0.5, {});
  job.law = exponential_law(1e6);
  job.local = {};
  for (const char* text : {"two-level", "fixed:20:locals=2"}) {
    const auto made = make_strategy(spec_of(text), job);
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().where == "/local_checkpoint");
  }
  CHECK(make_strategy(spec_of("fixed:20"), job).has_value());
}
