#include "holdfast/domains/checkpoint/plan.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"
#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

struct LateRun {
  Metrics metrics;
  std::unique_ptr<Realisation> drawn;
};

// One run, which passes the independent check.
LateRun late_run(const Instance& job, const std::string& strategy, const Draw& draw = {}) {
  const Status valid_job = check(job);
  REQUIRE_MESSAGE(valid_job.has_value(), (valid_job ? "" : valid_job.error().text()));
  const StrategySpec spec = parse_strategy(strategy, strategies()).value();
  const auto rule = make_strategy(spec, job).value();
  const auto law = job.law ? std::make_shared<const TabulatedLaw>(*job.law) : nullptr;
  LateRun out{.metrics = {}, .drawn = Realisation::make(job, law, draw)};
  std::vector<ScheduleRow> rows;
  out.metrics = simulate(job, *rule, *out.drawn, replans(spec), &rows);
  const auto strikes =
      strikes_until(out.metrics.makespan + job.checkpoint + job.late.flush + 1, job, *out.drawn);
  const Status valid = validate(job, replans(spec), strikes, rows, out.metrics);
  CHECK_MESSAGE(valid.has_value(), (valid ? "" : valid.error().text()));
  return out;
}

/// A job with late saves on two levels, or with a limit to each submission, in steps of a quarter of a second: nothing of the
/// simulator is repeated but its rules. The strategy is fixed:PERIOD:locals=N.
class LateByTheClock {
 public:
  LateByTheClock(const Instance& job, double period, int locals, Realisation& drawn)
      : job_{job},
        period_{period},
        locals_{locals},
        drawn_{drawn},
        end_{job.time_limit > 0 ? job.time_limit : Instance::kNever} {}

  Metrics run() {
    begin(0);
    std::size_t next = 0;
    const auto& events = *job_.events;
    for (now_ = 0; now_ < 1e5; now_ += 0.25) {
      while (rest_ <= 0 && !is_done_) pass_on();
      if (is_done_) break;
      for (; next < events.size() && events[next].date == now_; ++next) {
        strike(next);
        while (rest_ <= 0 && !is_done_) pass_on();
      }
      if (now_ == end_) resubmit();
      while (rest_ <= 0 && !is_done_) pass_on();
      rest_ -= 0.25;
    }
    out_.makespan = now_;
    return out_;
  }

 private:
  enum class Doing : std::uint8_t { work, flush, save, last_flush, down, recover };
  struct Kept {
    double work = 0;
    int segments = 0;
  };

  void enter(Doing what, double length) {
    doing_ = what;
    rest_ = length;
  }
  bool flies() const { return flown_at_ > now_; }
  // The checkpoint in flight has ended its flush, or the next one does not begin before.
  void land() {
    if (is_whole_) safe_ = flying_;
    is_whole_ = false;
  }
  void begin(double now) {
    const double left = job_.work - held_.work;
    if (left == 0) return finish();
    const int since = held_.segments - std::max(safe_.segments, flying_.segments);
    segment_ = std::min(period_, left);
    is_local_ = since < locals_ && segment_ < left;
    const double unsafe = is_local_ ? 0 : std::max(0.0, flown_at_ - now);
    segment_ = std::min(std::max(segment_, unsafe), left);
    const double saved = job_.checkpoint + job_.late.flush;
    if (std::max(now + segment_, flown_at_) + saved > end_) {
      const double last = end_ - saved - now;
      if (last <= 0 || now + last < flown_at_) {
        ends_submission_ = true;
        return enter(Doing::flush, std::max(0.0, flown_at_ - now));
      }
      segment_ = last;
    }
    enter(Doing::work, segment_);
  }
  void finish() { enter(Doing::last_flush, std::max(0.0, flown_at_ - now_)); }
  void resubmit() {
    if (flown_at_ <= now_) land();
    *out_.submissions += 1;
    end_ = now_ + job_.time_limit;
    held_ = safe_;
    drop_flight();
    ends_submission_ = false;
    recover();
  }
  void drop_flight() {
    is_whole_ = false;
    flying_ = {};
    flown_at_ = 0;
  }
  void recover() {
    const bool is_copy = held_.segments > safe_.segments;
    enter(Doing::recover, is_copy ? job_.local.recovery : job_.recovery);
  }
  void pass_on() {
    switch (doing_) {
      case Doing::work:
        if (held_.work + segment_ == job_.work && flies())
          return enter(Doing::flush, flown_at_ - now_);
        return enter(Doing::save, is_local_ ? job_.local.checkpoint : job_.checkpoint);
      case Doing::flush:
        if (ends_submission_) return resubmit();
        return enter(Doing::save, job_.checkpoint);
      case Doing::save:
        return keep();
      case Doing::last_flush:
        land();
        is_done_ = safe_.work == job_.work;
        is_local_ = false;
        segment_ = 0;
        return is_done_ ? void() : enter(Doing::save, job_.checkpoint);
      case Doing::down:
        return recover();
      case Doing::recover:
        return begin(now_);
    }
  }
  void keep() {
    if (!is_local_ && flown_at_ <= now_) land();
    held_ = {held_.work + segment_, held_.segments + 1};
    ++out_.checkpoints;
    if (!is_local_) {
      is_whole_ = drawn_.is_whole(static_cast<std::uint64_t>(out_.checkpoints), job_.late.failure);
      flying_ = held_;
      flown_at_ = now_ + job_.late.flush;
    }
    begin(now_);
  }
  void strike(std::size_t failure) {
    if (flown_at_ <= now_) land();
    drop_flight();
    const bool is_copied =
        job_.local.exists() && drawn_.survivor(failure, job_.local.share) == Level::local;
    if (!is_copied) held_ = safe_;
    if (doing_ == Doing::down) return;
    ++out_.failures;
    ends_submission_ = false;
    enter(Doing::down, job_.downtime);
  }

  const Instance& job_;
  double period_;
  int locals_;
  Realisation& drawn_;
  double end_;
  double now_ = 0;
  Doing doing_ = Doing::work;
  double rest_ = 0;
  double segment_ = 0;
  bool is_local_ = false;
  bool ends_submission_ = false;
  bool is_done_ = false;
  Kept held_, safe_, flying_;
  double flown_at_ = 0;
  bool is_whole_ = false;
  Metrics out_{.submissions = 1};
};

double quarters(Stream& stream, std::int64_t low, std::int64_t high) {
  return 0.25 * static_cast<double>(stream.integer(low, high));
}

Instance random_late_job(Stream& stream) {
  Instance job;
  job.work = quarters(stream, 4, 200);
  job.checkpoint = quarters(stream, 1, 8);
  job.recovery = quarters(stream, 1, 8);
  job.downtime = quarters(stream, 0, 6);
  job.late.flush = stream.integer(0, 4) == 0 ? 0 : quarters(stream, 1, 40);
  job.late.failure = stream.integer(0, 1) == 0 ? 0 : 0.3;
  job.events.emplace();
  double date = 0;
  for (int i = 0; i < 8; ++i) {
    date += quarters(stream, 1, 160);
    job.events->push_back({.date = date});
  }
  return job;
}

}  // namespace

TEST_CASE("late saves on two levels: another simulation, by the clock, gives the same runs") {
  Stream stream({.seed = 11, .purpose = Purpose::failures});
  int others = 0;
  for (int i = 0; i < 3000; ++i) {
    Instance job = random_late_job(stream);
    if (!job.late.exist()) job.late.flush = 1;
    job.local = {.checkpoint = quarters(stream, 1, 4),
                 .recovery = quarters(stream, 1, 4),
                 .share = 0.25 * static_cast<double>(stream.integer(0, 4))};
    const double period = quarters(stream, 1, 40);
    const int locals = static_cast<int>(stream.integer(0, 3));
    const LateRun found =
        late_run(job, fmt::format("fixed:{}:locals={}", period, locals), {.seed = 3});
    const Metrics expected = LateByTheClock(job, period, locals, *found.drawn).run();
    CAPTURE(i);
    CAPTURE(period);
    CAPTURE(locals);
    CHECK(found.metrics.makespan == expected.makespan);
    CHECK(found.metrics.failures == expected.failures);
    CHECK(found.metrics.checkpoints == expected.checkpoints);
    if (found.metrics.makespan != expected.makespan) return;
    others += expected.failures > 1 && expected.checkpoints > 3;
  }
  CHECK(others > 500);
}

TEST_CASE("late saves in submissions: another simulation, by the clock, gives the same runs") {
  Stream stream({.seed = 12, .purpose = Purpose::failures});
  std::int64_t submissions = 0;
  for (int i = 0; i < 3000; ++i) {
    Instance job = random_late_job(stream);
    job.time_limit = job.recovery + job.checkpoint + job.late.flush + quarters(stream, 4, 120);
    const double period = quarters(stream, 1, 40);
    const LateRun found = late_run(job, fmt::format("fixed:{}", period), {.seed = 4});
    const Metrics expected = LateByTheClock(job, period, 0, *found.drawn).run();
    CAPTURE(i);
    CAPTURE(period);
    CHECK(found.metrics.makespan == expected.makespan);
    CHECK(found.metrics.failures == expected.failures);
    CHECK(found.metrics.submissions == expected.submissions);
    if (found.metrics.makespan != expected.makespan) return;
    submissions += *expected.submissions;
  }
  CHECK(submissions > 6000);
}

TEST_CASE("late saves on two levels: the limits are the models of one of both") {
  Instance job;
  job.work = 50'000;
  job.checkpoint = 20;
  job.recovery = 30;
  job.downtime = 5;
  job.law = exponential_law(2000);
  for (std::uint64_t scenario = 0; scenario < 20; ++scenario) {
    const Draw draw{.scenario = scenario};
    // Copies that survive nothing, and that are never written: one level.
    Instance one = job;
    one.late = {.flush = 100, .failure = 0.1};
    Instance two = one;
    two.local = {.checkpoint = 1, .recovery = 1, .share = 0};
    const double late = late_run(one, "fixed:250", draw).metrics.makespan;
    CHECK(late_run(two, "fixed:250", draw).metrics.makespan == late);
    // Submissions that are longer than the job change nothing.
    one.time_limit = 1e7;
    CHECK(late_run(one, "fixed:250", draw).metrics.makespan == late);
    // Every failure is survived by copies: the flush is only that of the end, if none strikes it.
    two.late = {.flush = 1e-9};
    two.local.share = 0.7;
    Instance safe = two;
    safe.late = {};
    const double at_once = late_run(safe, "two-level", draw).metrics.makespan;
    CHECK(std::fabs(late_run(two, "two-level", draw).metrics.makespan - at_once) < 1e-3);
  }
}

TEST_CASE("late saves on two levels: what a plan saves before the next failure is what runs save") {
  Instance job;
  job.work = 4000;
  job.checkpoint = 20;
  job.recovery = 30;
  job.late = {.flush = 150, .failure = 0.2};
  job.local = {.checkpoint = 3, .recovery = 5, .share = 0.6};
  job.law = exponential_law(3000);
  const auto rule =
      make_strategy(parse_strategy("fixed:100:locals=2", strategies()).value(), job).value();
  const Plan plan = make_plan(job, *rule).value();
  // By hand, over the first failure: it strikes at t, and of a plan's work the copies are left with q, else what is safe.
  double expected = 0;
  constexpr int kDraws = 200'000;
  Stream stream({.seed = 5, .purpose = Purpose::failures});
  for (int i = 0; i < kDraws; ++i) {
    const double failure = -3000 * std::log1p(-stream.uniform());
    const bool is_copied = stream.uniform() < job.local.share;
    double now = 0, kept = 0, copied = 0;
    std::size_t k = 0;
    for (double before = 0; k < plan.cuts.size(); before = plan.cuts[k++]) {
      const bool is_local = plan.levels[k] == Level::local;
      now += plan.cuts[k] - before + (is_local ? job.local.checkpoint : job.checkpoint);
      if (now > failure) break;
      copied = plan.cuts[k];
      if (!is_local && stream.uniform() >= job.late.failure && now + job.late.flush <= failure)
        kept = plan.cuts[k];
    }
    expected += (is_copied ? std::max(copied, kept) : kept) / kDraws;
  }
  CHECK(std::fabs(plan.worth.expected_work - expected) < 0.01 * expected);
}
