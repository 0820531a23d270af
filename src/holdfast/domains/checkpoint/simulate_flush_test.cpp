#include "holdfast/domains/checkpoint/efficiency.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/plan.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/testing.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

// 100 s of work in segments of 20 s, C = 2, R = 4, D = 1.
Instance flush_job(double flush, const std::vector<double>& dates) {
  Instance out;
  out.work = 100;
  out.checkpoint = 2;
  out.recovery = 4;
  out.downtime = 1;
  out.late.flush = flush;
  out.events.emplace();
  for (const double date : dates) out.events->push_back({date, 0});
  return out;
}

// C = 30, R = 60, D = 20, and a failure every 4000 s.
Instance memoryless_job(double work, const LateSaves& late) {
  Instance out;
  out.work = work;
  out.checkpoint = 30;
  out.recovery = 60;
  out.downtime = 20;
  out.late = late;
  out.law = exponential_law(4000);
  return out;
}

struct FlushRun {
  Metrics metrics;
  std::vector<ScheduleRow> rows;
};

// One run, validated.
FlushRun flush_run(const Instance& instance, std::string_view strategy, const Draw& draw = {}) {
  REQUIRE(check(instance).has_value());
  const StrategySpec spec = parse_strategy(strategy, strategies()).value();
  const auto rule = make_strategy(spec, instance).value();
  const auto law = instance.law ? std::make_shared<const TabulatedLaw>(*instance.law) : nullptr;
  const auto realisation = Realisation::make(instance, law, draw);
  FlushRun out;
  out.metrics = simulate(instance, *rule, *realisation, replans(spec), &out.rows);
  const auto failures =
      strikes_until(out.metrics.makespan + instance.checkpoint + 1, instance, *realisation);
  const Status valid = validate(instance, replans(spec), failures, out.rows, out.metrics);
  CHECK_MESSAGE(valid.has_value(), (valid ? "" : valid.error().text()));
  return out;
}

// The same job in steps of a quarter of a second: nothing of the simulator is repeated but its rules.
class FlushByTheClock {
 public:
  /// @param whole  whether each checkpoint is whole
  FlushByTheClock(const Instance& job, double period, std::vector<bool> whole)
      : job_{job}, period_{period}, whole_{std::move(whole)} {}

  double makespan(const std::vector<double>& failures) {
    begin_segment();
    std::size_t next = 0;
    for (double now = 0;; now += 0.25) {
      now_ = now;
      while (is_over()) pass_on();
      if (is_done_) return now;
      for (; next < failures.size() && failures[next] == now; ++next) {
        strike();
        while (is_over()) pass_on();
      }
      rest_ -= 0.25;
      flying_ -= 0.25;
    }
  }

 private:
  enum class Doing : std::uint8_t { work, wait, save, down, recover };

  bool is_over() const { return rest_ <= 0 && !is_done_; }
  void begin_segment() {
    doing_ = Doing::work;
    const double left = job_.work - begun_;
    rest_ = std::min(std::max(period_, flying_), left);
    segment_ = rest_;
  }
  // The last save comes to be safe, if it is whole.
  void land() {
    if (is_whole_) safe_ = begun_;
    is_whole_ = false;
  }
  void save() {
    doing_ = Doing::save;
    rest_ = job_.checkpoint;
  }
  void pass_on() {
    if (flying_ <= 0) land();
    if (doing_ == Doing::work) {
      doing_ = Doing::wait;
      rest_ = std::max(flying_, 0.0);
    } else if (doing_ == Doing::wait) {
      if (begun_ == job_.work && segment_ == 0) {  // the last one was in flight
        is_done_ = safe_ == job_.work;
        if (is_done_) return;
      }
      save();
    } else if (doing_ == Doing::save) {
      begun_ += segment_;
      segment_ = 0;
      is_whole_ = whole_.at(saves_++);
      flying_ = job_.late.flush;
      if (flying_ <= 0) land();
      if (begun_ < job_.work) return begin_segment();
      doing_ = Doing::wait;
      rest_ = flying_;
    } else if (doing_ == Doing::down) {
      doing_ = Doing::recover;
      rest_ = job_.recovery;
    } else {
      begin_segment();
    }
  }
  void strike() {
    if (doing_ == Doing::down) return;
    if (flying_ <= 0) land();
    begun_ = safe_;
    is_whole_ = false;
    flying_ = 0;
    doing_ = Doing::down;
    rest_ = job_.downtime;
  }

  const Instance& job_;
  double period_;
  std::vector<bool> whole_;
  std::size_t saves_ = 0;
  Doing doing_ = Doing::work;
  double now_ = 0;
  double rest_ = 0;
  double segment_ = 0;
  double flying_ = 0;      ///< until the last save is safe
  bool is_whole_ = false;  ///< it will be
  double begun_ = 0;       ///< work in the last save
  double safe_ = 0;
  bool is_done_ = false;
};

}  // namespace

TEST_CASE("flush: 100 s in five segments, with failures by hand") {
  struct Row {
    std::string_view why;
    double flush;
    std::vector<double> failures;
    double makespan;
    std::int64_t checkpoints;
  };
  const Row rows[] = {
      {"no failure: 100 + 5 * 2 + 8", 8, {}, 118, 5},
      {"in the flush of the first: all is lost, 25 + 1 + 4 + 118", 8, {25}, 148, 6},
      {"at the end of that flush it is safe: 30 + 1 + 4 + 4 * 22 + 8", 8, {30}, 131, 5},
      {"after it: 35 + 1 + 4 + 88 + 8", 8, {35}, 136, 5},
      {"in the second save, the first is safe: 43 + 5 + 96", 8, {43}, 144, 5},
      {"in the last flush, four are safe: 112 + 5 + 22 + 8", 8, {112}, 147, 6},
      {"longer than a segment: 20, then 30, 30, 20 with a wait: 22 + 32 + 32 + 32 + 30",
       30,
       {},
       148,
       4},
      {"without one: 110, and 25 + 5 + 88", 0, {25}, 118, 5},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const Instance job = flush_job(row.flush, row.failures);
    const FlushRun found = flush_run(job, "fixed:20s");
    CHECK(found.metrics.makespan == row.makespan);
    CHECK(found.metrics.checkpoints == row.checkpoints);
    CHECK(FlushByTheClock(job, 20, std::vector<bool>(100, true)).makespan(row.failures) ==
          row.makespan);
    CHECK(std::fabs(found.metrics.efficiency - 100 / row.makespan) < 1e-12);
  }
}

TEST_CASE("flush: random jobs agree with a simulation by the clock") {
  rc::check("the same makespan to the last bit", [] {
    Instance job = flush_job(*rc::gen::inRange(0, 240) / 4.0, {});
    job.work = *rc::gen::inRange(1, 800) / 4.0;
    job.checkpoint = *rc::gen::inRange(1, 40) / 4.0;
    job.recovery = *rc::gen::inRange(0, 40) / 4.0;
    job.downtime = *rc::gen::inRange(1, 12) / 4.0;
    if (*rc::gen::inRange(0, 2) == 1) job.late.failure = *rc::gen::inRange(0, 80) / 100.0;
    const double period = *rc::gen::inRange(1, 160) / 4.0;
    double date = 0;
    std::vector<double> dates;
    for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
      date += *rc::gen::inRange(1, 400) / 4.0;
      dates.push_back(date);
      job.events->push_back({date, 0});
    }
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    const Draw draw{.seed = seed};
    const auto realisation = Realisation::make(job, nullptr, draw);
    std::vector<bool> whole;
    for (std::uint64_t i = 1; i <= 4000; ++i) {
      whole.push_back(realisation->is_whole(i, job.late.failure));
    }
    const FlushRun found = flush_run(job, fmt::format("fixed:{}s", period), draw);
    RC_ASSERT(found.metrics.makespan == FlushByTheClock(job, period, whole).makespan(dates));
    // No strategy ends before the one that knows all failures.
    const double bound = flush_run(job, "clairvoyant", draw).metrics.makespan;
    RC_ASSERT(bound <= found.metrics.makespan);
  });
}

TEST_CASE("flush: with none a run is that of any job") {
  const auto parse = [](const std::string& more) {
    const auto document = parse_json(
        R"({"work": 36000, "checkpoint": 60, "processors": 100, "failures": {"mtbf": 500000})" +
        more + "}");
    return read_instance(*document, ".").value();
  };
  const Instance with = parse(R"(, "flush": 0, "save_failure": 0)");
  const Instance without = parse("");
  CHECK(to_compact_json(to_value(with)) == to_compact_json(to_value(without)));
  for (const char* strategy : {"next-step", "young-daly", "advised", "clairvoyant"}) {
    const FlushRun a = flush_run(with, strategy);
    const FlushRun b = flush_run(without, strategy);
    CHECK(a.metrics.makespan == b.metrics.makespan);
    CHECK(a.rows.size() == b.rows.size());
  }
}

TEST_CASE("flush: mean makespans are those of the closed form") {
  const Instance job = memoryless_job(20'000, {.flush = 150});
  for (const char* strategy : {"optimal-exponential", "fixed:500s", "fixed:150s", "none"}) {
    CAPTURE(strategy);
    const StrategySpec spec = parse_strategy(strategy, strategies()).value();
    const auto rule = make_strategy(spec, job).value();
    const Plan plan = make_plan(job, *rule).value();
    const auto expected = efficiency_of(job, spec, plan).value();
    REQUIRE(expected);
    CHECK(expected->scenarios == 0);
    const auto found = checkpoint::testing::makespans(job, strategy, 4000);
    CHECK(checkpoint::testing::is_within_errors(found, job.work / expected->value, 4));
  }
}

TEST_CASE("flush: in the long run failed saves cost what the closed form says") {
  Instance job = memoryless_job(3'000'000, {.flush = 150, .failure = 0.2});
  const double slow = late_slowdown(400, job.costs(), 1.0 / 4000, job.late);
  const auto found = checkpoint::testing::makespans(job, "fixed:400s", 60);
  CHECK(checkpoint::testing::is_within_errors(found, job.work * slow, 4));
  // The plans of all strategies are near the best period of this closed form.
  job.work = Instance::kNever;
  const double best = late_optimal_period(30, 4000, job.late);
  const double least = late_slowdown(best, job.costs(), 1.0 / 4000, job.late);
  for (const char* strategy : {"next-step", "young-daly", "local-young-daly", "next-step-grid"}) {
    CAPTURE(strategy);
    const auto rule = make_strategy(parse_strategy(strategy, strategies()).value(), job).value();
    const double period = make_plan(job, *rule).value().cuts.front();
    CHECK(late_slowdown(std::max(period, 150.0), job.costs(), 1.0 / 4000, job.late) <
          1.002 * least);
  }
}

TEST_CASE("flush: it bounds the rate of saves, and a plan keeps to that") {
  Instance job;
  job.work = 5'000;
  job.checkpoint = 0.5;
  job.recovery = 60;
  job.late.flush = 300;
  job.law = weibull_law_of_mean(0.7, 8000);
  job.platform_age = 2000;
  for (const StrategyEntry& entry : strategies()) {
    const std::string name(entry.name);
    if (name == "as-given" || name == "two-level" || name == "custom") continue;
    CAPTURE(name);
    const StrategySpec spec = parse_strategy(name, strategies()).value();
    const FlushRun run = flush_run(job, name);
    if (knows_future(spec)) continue;
    const auto rule = make_strategy(spec, job).value();
    const Plan plan = make_plan(job, *rule).value();
    for (std::size_t k = 1; k + 1 < plan.cuts.size(); ++k) {
      CHECK(plan.cuts[k] - plan.cuts[k - 1] >= 300 * (1 - 1e-9));
    }
    CHECK(plan.worth.share < 1);
    // The first one after each recovery may come sooner.
    const auto sooner = static_cast<double>(run.metrics.failures + 1);
    CHECK(static_cast<double>(run.metrics.checkpoints) <= run.metrics.makespan / 300 + sooner);
  }
  job.iteration = 70;
  double done = 0;
  for (const ScheduleRow& row : flush_run(job, "next-step").rows) {
    if (row.kind != "work" || row.lost) continue;
    done += row.end - row.start;
    const double steps = done / 70;
    CHECK((std::fabs(steps - std::round(steps)) < 1e-9 || std::fabs(done - job.work) < 1e-6));
  }
}

TEST_CASE("flush: the share before the next failure by brute force") {
  Instance job;
  job.work = 1000;
  job.checkpoint = 10;
  job.recovery = 10;
  job.late = {.flush = 60, .failure = 0.1};
  job.law = exponential_law(900);
  const auto rule = make_strategy(parse_strategy("fixed:250s", strategies()).value(), job).value();
  const Plan plan = make_plan(job, *rule).value();
  // The four saves are safe at 320, 580, 840 and 1100 s; every subset of them may be whole.
  double work = 0;
  double time = 0;
  const double step = 0.01;
  for (double x = step / 2; x < 1100; x += step) time += step * std::exp(-x / 900);
  for (int subset = 0; subset < 16; ++subset) {
    double chance = 1;
    for (int k = 0; k < 4; ++k) chance *= (subset >> k & 1) != 0 ? 0.9 : 0.1;
    for (int k = 0; k < 4; ++k) {  // work k is safe with the first whole save from k on
      for (int j = k; j < 4; ++j) {
        if ((subset >> j & 1) == 0) continue;
        work += chance * 250 * std::exp(-(250 * (j + 1) + 10 * (j + 1) + 60) / 900.0);
        break;
      }
    }
  }
  CHECK(std::fabs(plan.worth.expected_work - work) < 1e-9 * work);
  CHECK(std::fabs(plan.worth.expected_time - time) < 1e-6 * time);
}

TEST_CASE("flush: what is not known is refused by name") {
  struct Row {
    std::string_view more;
    std::string_view place;
  };
  const Row rows[] = {
      {R"("flush": 4900, "time_limit": 5000)", "/time_limit"},
      {R"("save_failure": 1)", "/save_failure"},
      {R"("flush": -1)", "/flush"},
  };
  for (const Row& row : rows) {
    const auto document = parse_json(fmt::format(
        R"({{"work": 36000, "checkpoint": 60, "failures": {{"mtbf": 500000}}, {}}})", row.more));
    const auto instance = read_instance(*document, ".");
    REQUIRE_FALSE(instance);
    CHECK(instance.error().where == row.place);
  }
}

TEST_CASE("flush: a job that runs has it on one level, without a limit") {
  const auto refused = [](const char* more) {
    const auto document = parse_json(
        fmt::format(R"({{"checkpoint": 60, "failures": {{"mtbf": 500000}}, "flush": 5{}}})", more));
    const auto job = read_running_job(*document, ".", [](ObjectReader&) {});
    return !job && job.error().where == "/flush";
  };
  CHECK_FALSE(refused(""));
  CHECK(refused(R"(, "local_checkpoint": 1, "local_share": 0.5)"));
  CHECK(refused(R"(, "time_limit": 5000)"));
}
