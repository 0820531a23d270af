#include "holdfast/domains/checkpoint/simulate.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/checkpoint/job_nodes.hpp"
#include "holdfast/domains/checkpoint/progress.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {
namespace {

/// Number of failures between two checks whether a run will end.
constexpr std::int64_t kLook = 1000;
/// Dates and amounts of work that are closer, relative to them, are equal: sums of many terms are rounded.
constexpr double kSameInstant = 1e-12;

/// The durations of a repeated activity: random, or always the same.
class Cost {
 public:
  Cost(double mean, double spread, const StreamKey& key)
      : mean_{mean}, log_sd_{std::sqrt(elementary::log1p(spread * spread))}, stream_{key} {}

  double next() {
    if (log_sd_ == 0 || mean_ == 0) return mean_;
    return mean_ * sample_lognormal(stream_, -log_sd_ * log_sd_ / 2, log_sd_);
  }

 private:
  double mean_;
  double log_sd_;
  Stream stream_;
};

/// The state of one run: clock, failures met, work saved. Times are seconds from the job's start.
class Run {
 public:
  Run(const Instance& job, Strategy& strategy, Realisation& realisation, bool replans,
      std::vector<ScheduleRow>* schedule)
      : job_{job},
        strategy_{strategy},
        realisation_{realisation},
        nodes_{job, realisation},
        deadline_{std::min(job.deadline(), realisation.end())},
        submission_end_{job.time_limit > 0 ? job.time_limit : Instance::kNever},
        replans_{replans},
        learns_{strategy.learns()},
        schedule_{schedule},
        checkpoint_{job.checkpoint, job.checkpoint_spread,
                    realisation.key(Realisation::Drawn::checkpoints)},
        recovery_{job.recovery, job.recovery_spread,
                  realisation.key(Realisation::Drawn::recoveries)},
        local_checkpoint_{job.local.checkpoint, job.checkpoint_spread,
                          realisation.key(Realisation::Drawn::local_checkpoints)},
        local_recovery_{job.local.recovery, job.recovery_spread,
                        realisation.key(Realisation::Drawn::local_recoveries)},
        work_left_{job.work} {}

  Metrics result() {
    if (learns_) strategy_.begin(nodes_.ages());
    if (!nodes_.are_pooled() || wait_for_nodes()) tell(Event::Kind::ready, now_);
    while (work_left_ > 0 && !expired_) follow(decide());
    if (expired_ && job_.local.exists()) settle(now_);
    if (expired_ && !job_.local.exists()) fall_back(now_);
    metrics_.makespan = now_;
    metrics_.efficiency = now_ > 0 ? (job_.work - work_left_) / now_ : 0;
    metrics_.completed = !expired_ || (job_.is_window && !given_up_);
    metrics_.given_up = given_up_;
    if (job_.time_limit > 0) metrics_.submissions = submissions_;
    if (nodes_.are_pooled()) nodes_.account(now_, job_.work - work_left_, metrics_);
    if (job_.is_elastic()) metrics_.joins = joins_;
    return metrics_;
  }

 private:
  std::span<const double> decide() {
    const double lead = strategy_.looks_past_flush() ? job_.late.flush : 0;
    checkpoints::Outlook& outlook = nodes_.believed(now_, lead);
    const Future future = nodes_.future();
    const State state{.work_left = work_left_,
                      .checkpoints = segments_,
                      .local = segments_ - std::max(global_.segments, flight_.kept.segments),
                      .outlook = outlook,
                      .now = now_,
                      .nodes = nodes_.count(),
                      .future = &future};
    if (job_.planning.mode != PlanningTime::Mode::measured) return strategy_.decide(state);
    const auto begin = std::chrono::steady_clock::now();
    const auto cuts = strategy_.decide(state);
    planning_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return cuts;
  }

  void follow(std::span<const double> cuts) {
    if (cuts.empty()) {  // no decision: the strategy's status gives the reason
      expired_ = true;
      return;
    }
    assert(cuts.back() <= work_left_);
    if (!pay_measured_planning()) return;
    const std::span<const Level> levels = strategy_.levels();
    assert(levels.empty() || (levels.size() == cuts.size() && job_.local.exists()));
    const double left = work_left_;
    double done = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      double cut = cuts[i];
      assert(cut > done || job_.iteration > 0 || job_.late.exist());  // a flush may have passed it
      const bool is_local = !levels.empty() && levels[i] == Level::local && cut != left;
      const double unsafe = is_local ? 0 : flight_.until - now_;
      if (job_.iteration > 0 || unsafe > cut - done) {
        const double before = job_.work - left;
        const double place = boundary(job_, before + done, before + cut, before + done + unsafe);
        cut = place == job_.work ? left : place - before;
      }
      if (cut <= done) continue;  // the segment before ends at the same point
      const double in_time = saved_in_time(left, done, cut);
      if (in_time <= done) {
        if (flight_.until > now_ && !endure("flush", flight_.until)) return;
        resubmit();
        return recover(false);
      }
      const bool is_cut = in_time < cut;
      cut = in_time;
      const bool is_last = cut == left;
      const Level level = levels.empty() || is_last ? Level::global : levels[i];
      if (!segment(cut - done, level, is_last)) return;
      done = cut;
      keep(left - cut, level);
      if (is_last && saves_late(0)) return finish();
      if (is_last) return;
      if (takes_nodes_back()) return recover(false);
      if (is_cut) return;
    }
  }

  // Records that a segment is safe in a checkpoint of that level.
  void keep(double work_left, Level level) {
    work_left_ = work_left;
    ++segments_;
    if (level != Level::global) return;
    const Kept kept{.segments = segments_,
                    .work_left = work_left,
                    .rows = schedule_ == nullptr ? 0 : schedule_->size()};
    if (!saves_late(work_left)) return void(global_ = kept);
    const auto number = static_cast<std::uint64_t>(metrics_.checkpoints);
    const double until = now_ + job_.late.flush;
    flight_ = {
        .kept = kept,
        .until = is_just_after(until, submission_end_) ? submission_end_ : until,
        .is_whole = strategy_.is_bound() || realisation_.is_whole(number, job_.late.failure)};
  }

  // True if the checkpoint before this amount of work is not safe at its end; no checkpoint may follow the last work.
  bool saves_late(double work_left) const {
    return job_.late.exist() && (work_left > 0 || job_.ends.final_checkpoint);
  }

  // The last checkpoint is safe if it is whole, and its flush is over by that date.
  void settle(double date) {
    if (!(flight_.is_whole && flight_.until <= date)) return;
    flight_.is_whole = false;
    global_ = flight_.kept;
    last_progress_ = metrics_.failures;
    tell(Event::Kind::durable, flight_.until);
  }

  // The state of the job is that of its last global checkpoint that is safe by that date.
  void fall_back(double date) {
    settle(date);
    if (job_.late.exist()) return_to_global();
    flight_ = {};
  }

  // Waits until the last checkpoint is safe, and writes it again while it is not whole, or a failure struck that local copies survive.
  void finish() {
    while (work_left_ == 0 && !expired_) {
      if (flight_.until > now_ && !endure("flush", flight_.until)) continue;
      const bool is_whole = flight_.is_whole;
      settle(now_);
      if (is_whole) return;
      if (!endure("checkpoint", now_ + checkpoint_.next())) continue;
      ++metrics_.checkpoints;
      keep(0, Level::global);
    }
  }

  // A failure destroys all local checkpoints since the last global one, or none. Returns the lowest level that survives. Of a checkpoint
  // that is not safe yet only the copy in the nodes is left, which is a local one.
  Level meet(std::size_t failure) {
    settle(nodes_.failure().date - nodes_.origin());
    flight_ = {};
    if (!job_.local.exists()) {
      if (job_.late.exist()) return_to_global();
      return Level::global;
    }
    const Level level = realisation_.survivor(failure, job_.local.share);
    if (level == Level::global) return_to_global();
    return level;
  }

  void return_to_global() {
    segments_ = global_.segments;
    work_left_ = global_.work_left;
    if (schedule_ == nullptr) return;
    for (; global_.rows < schedule_->size(); ++global_.rows) {
      ScheduleRow& row = (*schedule_)[global_.rows];
      row.lost = row.lost || row.kind == "work" || row.kind.ends_with("checkpoint");
    }
  }

  // A cut, or the last point before it that can be saved before the submission ends; not after `done` if there is none.
  double saved_in_time(double left, double done, double cut) const {
    const double saved = job_.checkpoint + job_.late.flush;
    const double cost = cut == left && !job_.ends.final_checkpoint ? 0 : saved;
    const double speed = nodes_.speed();
    const double begun = std::max(now_ + (cut - done) / speed, cost > 0 ? flight_.until : 0);
    if (begun + cost <= submission_end_ * (1 + kSameInstant)) return cut;
    double last = done + (submission_end_ - saved - now_) * speed;
    if (job_.iteration > 0) {
      const double before = job_.work - left;
      last = std::floor((before + last) / job_.iteration * (1 + kSameInstant)) * job_.iteration -
             before;
    }
    // Its checkpoint cannot begin before the one before is safe.
    return now_ + (last - done) / speed < flight_.until * (1 - kSameInstant) ? done : last;
  }

  // True if a date passes a border by rounding alone.
  static bool is_just_after(double date, double border) {
    return date > border && date < border * (1 + kSameInstant);
  }

  // A job that works on fewer nodes takes back those that are there after a checkpoint.
  bool takes_nodes_back() {
    if (!job_.is_elastic() || job_.platform.join == Join::failure || !nodes_.join(now_))
      return false;
    ++joins_;
    return true;
  }

  // Ends the submission; the next one begins at once, on all nodes that are there. Waiting in the queue is not counted.
  void resubmit() {
    fall_back(now_);
    tell(Event::Kind::stopped, now_);
    ++submissions_;
    submission_end_ = now_ + job_.time_limit;
    if (job_.is_elastic()) nodes_.join(now_);
    if (schedule_ != nullptr) schedule_->push_back({"submission", now_, now_, false});
  }

  // The run goes no further: its submission ends, or the horizon has come.
  void stop_at_border() {
    expired_ = now_ == deadline_;
    if (!expired_) resubmit();
  }

  void tell(Event::Kind kind, double now, Level level = Level::global, double born = 0) {
    if (learns_) strategy_.see({.kind = kind, .now = now, .born = born, .level = level});
  }

  // Does work and its checkpoint; false if a failure or the horizon cut them short.
  bool segment(double work, Level level, bool is_last) {
    const bool is_local = level == Level::local;
    Cost& checkpoint = is_local ? local_checkpoint_ : checkpoint_;
    const double cost = is_last && !job_.ends.final_checkpoint ? 0 : checkpoint.next();
    const double worked = now_ + work / nodes_.speed();
    // The last checkpoint of a job waits until the one before is safe.
    const double saving = is_last && cost > 0 ? std::max(worked, flight_.until) : worked;
    const double exact = saving + cost;
    const double end = is_just_after(exact, submission_end_) ? submission_end_ : exact;
    const double failure = nodes_.next_failure(std::min(end, border()));
    const bool is_struck = failure < end;  // at the end itself the checkpoint is safe
    const double stop = is_struck ? failure : end;
    const bool is_late = stop > border();
    const double last = is_late ? border() : stop;
    const bool is_lost = is_struck || is_late;
    attempt_ = work / nodes_.speed() + cost + job_.late.flush;
    row("work", now_, std::min(last, worked), is_lost);
    if (last > worked && saving > worked)
      row("flush", worked, std::min(last, saving), is_lost && last <= saving);
    if (last > saving) row(is_local ? "local checkpoint" : "checkpoint", saving, last, is_lost);
    if (last >= saving && cost > 0) {
      settle(is_local ? saving : Instance::kNever);  // a global one does not begin before
      tell(Event::Kind::saving, saving, level);
    }
    now_ = last;
    if (is_late) stop_at_border();
    if (is_lost && !expired_) recover(is_struck && !is_late);
    if (is_lost) return false;
    if (cost > 0) {
      ++metrics_.checkpoints;
      tell(Event::Kind::saved, now_);
    }
    if (is_local || !job_.late.exist()) last_progress_ = metrics_.failures;
    return true;
  }

  void meet_next(Event::Kind kind) {
    const Level survivor = meet(nodes_.number());
    const Failure& failure = nodes_.failure();
    const double origin = nodes_.origin();
    tell(kind, failure.date - origin, survivor, failure.renewed - origin);
    nodes_.meet();
  }

  // Waits until a node is ready in each place, but not before the present; false if that never happens, or too late.
  bool wait_for_nodes() {
    const PoolReady ready = nodes_.ready_after(now_);
    while (nodes_.fails_before(ready.next)) meet_next(Event::Kind::renewed);
    nodes_.work(ready.next);
    const double end = std::min(ready.date, deadline_);
    if (end == Instance::kNever) {
      given_up_ = expired_ = true;
      return false;
    }
    metrics_.waiting = metrics_.waiting.value_or(0) + std::min(ready.waited, end - now_);
    if (ready.date == now_) return true;
    while (!pass_until("waiting", ready.date, false)) {
      if (expired_) return false;
    }
    return true;
  }

  // Runs from a failure that strikes now, or from the start of a submission, until the job is ready to work again.
  void recover(bool is_struck) {
    has_recovered_ = true;
    for (;;) {
      const bool is_checked = is_struck && (metrics_.failures + 1) % kLook == 0;
      if (is_struck) {
        meet_next(Event::Kind::struck);
        ++metrics_.failures;
        if (schedule_ != nullptr) schedule_->push_back({"failure", now_, now_, false});
        if (!pass("downtime", job_.downtime) && expired_) return;
      }
      // Failures during the downtime renew their processors, and may destroy the local checkpoints.
      if (!nodes_.are_pooled()) {
        while (nodes_.next_failure(now_) < now_) meet_next(Event::Kind::renewed);
      } else if (!wait_for_nodes()) {
        return;
      }
      // The newest checkpoint that is left is read back.
      const Level from = segments_ > global_.segments ? Level::local : Level::global;
      tell(Event::Kind::recovering, now_, from);
      const double length = recovery(from);
      if (is_checked && will_not_end(length)) {
        given_up_ = expired_ = true;
        return;
      }
      const double failure = nodes_.next_failure(std::min(now_ + length, border()));
      is_struck = failure < now_ + length;
      const bool is_complete = pass_until(from == Level::local ? "local recovery" : "recovery",
                                          is_struck ? failure : now_ + length, is_struck);
      if (expired_) return;
      if (is_complete && !is_struck) break;
      is_struck = is_struck && is_complete;
    }
    tell(Event::Kind::ready, now_);
  }

  double recovery(Level from) {
    const bool is_free = segments_ == 0 && !job_.ends.initial_recovery;
    const bool is_charged = replans_ && job_.planning.mode == PlanningTime::Mode::fixed;
    Cost& cost = from == Level::local ? local_recovery_ : recovery_;
    return (is_free ? 0 : cost.next()) + (is_charged ? job_.planning.seconds : 0);
  }

  // Checks how likely the run is to survive its next recovery or segment, now and in the long run.
  bool will_not_end(double recovery) {
    if (deadline_ != Instance::kNever) return metrics_.failures >= kMostInterruptions;
    const double needed = std::max(recovery, attempt_);
    RunSoFar so_far{.failures = metrics_.failures,
                    .failures_without_progress = metrics_.failures - last_progress_,
                    .work_left = work_left_,
                    .needed = needed};
    if (job_.law && so_far.failures_without_progress >= kLook) {
      so_far.hazard_now = nodes_.truth(now_).curve(needed).cumulative(needed);
    }
    return checkpoint::will_not_end(job_, so_far);
  }

  // The time up to which the job may run on.
  double border() const { return std::min(deadline_, submission_end_); }

  // Completes an activity that nothing strikes; false if the horizon or the end of the submission comes first.
  bool pass(std::string_view kind, double length) { return pass_until(kind, now_ + length, false); }
  // The same, given the end: an activity that a failure ends must end at exactly the failure's date, not at a rounded sum.
  bool pass_until(std::string_view kind, double end, bool is_lost) {
    const bool is_late = end > border();
    const double last = is_late ? border() : end;
    row(kind, now_, last, is_lost || is_late);
    now_ = last;
    if (is_late) stop_at_border();
    return !is_late;
  }

  // Completes an activity without work, which a failure may strike; false if it was cut short.
  bool endure(std::string_view kind, double end) {
    const double failure = nodes_.next_failure(std::min(end, border()));
    const bool is_struck = failure < end;
    const bool is_complete = pass_until(kind, is_struck ? failure : end, is_struck);
    if (is_complete && !is_struck) return true;
    if (!expired_) recover(is_complete);
    return false;
  }

  // Measured planning time prolongs the recovery before it.
  bool pay_measured_planning() {
    if (!has_recovered_ || !replans_ || planning_ == 0) return true;
    const double length = planning_;
    planning_ = 0;
    has_recovered_ = false;
    return endure("recovery", now_ + length);
  }

  void row(std::string_view kind, double start, double end, bool is_lost) {
    // An activity that takes no time has no row, unless it was lost: each interruption is shown by one row, and the failure itself.
    if (schedule_ == nullptr || !(end > start || is_lost)) return;
    schedule_->push_back({kind, start, end, is_lost});
  }

  /// The state of the job when it starts from a checkpoint.
  struct Kept {
    std::int64_t segments = 0;
    double work_left = 0;
    std::size_t rows = 0;  ///< of the schedule up to it
  };
  /// A checkpoint that has ended.
  struct Flight {
    Kept kept = {};
    double until = 0;       ///< when it is safe, if it is whole
    bool is_whole = false;  ///< and that is not known yet
  };

  const Instance& job_;
  Strategy& strategy_;
  const Realisation& realisation_;
  JobNodes nodes_;
  const double deadline_;
  double submission_end_;  ///< when the present submission ends
  const bool replans_;
  const bool learns_;
  std::vector<ScheduleRow>* const schedule_;
  Cost checkpoint_;
  Cost recovery_;
  Cost local_checkpoint_;
  Cost local_recovery_;

  double now_ = 0;
  double work_left_;
  std::int64_t segments_ = 0;             ///< segments that are safe in checkpoints of any level
  Kept global_{.work_left = work_left_};  ///< the state in the last global checkpoint that is safe
  Flight flight_;                         ///< the one after it
  double planning_ = 0;
  bool has_recovered_ = false;
  double attempt_ = 0;              ///< length of the last segment with its checkpoint
  std::int64_t last_progress_ = 0;  ///< failures met when a segment was last saved
  std::int64_t submissions_ = 1;
  std::int64_t joins_ = 0;
  bool expired_ = false;
  bool given_up_ = false;
  Metrics metrics_;
};

}  // namespace

Metrics simulate(const Instance& instance, Strategy& strategy, Realisation& realisation,
                 bool replans, std::vector<ScheduleRow>* schedule) {
  if (instance.is_elastic()) realisation.restart();
  return Run(instance, strategy, realisation, replans, schedule).result();
}

}  // namespace holdfast::checkpoint
