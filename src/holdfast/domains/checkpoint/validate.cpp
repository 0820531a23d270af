#include "holdfast/domains/checkpoint/validate.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace holdfast::checkpoint {
namespace {

class Check {
 public:
  Check(const Instance& job, bool replans, std::span<const Strike> failures,
        std::span<const ScheduleRow> rows, std::span<const double> speeds)
      : job_{job}, replans_{replans}, failures_{failures}, rows_{rows}, speeds_{speeds} {}

  Status run(const Metrics& metrics) {
    for (place_ = 0; place_ < rows_.size(); ++place_) HOLDFAST_CHECK(check_row(rows_[place_]));
    if (!rows_.empty()) --place_;
    if (owes_failure_) return refuse("is struck by a failure that has no row");
    if (!metrics.completed && !job_.local.exists())
      HOLDFAST_CHECK(lose_unsafe(now_, "the end of the run"));
    HOLDFAST_CHECK(settle(now_));
    if (metrics.completed && job_.ends.final_checkpoint && job_.late.exist() &&
        before_.work + after_.work > 0)
      return refuse("the work ends in a checkpoint that is not safe");
    return check_metrics(metrics);
  }

 private:
  template <class... Arguments>
  Status refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) const {
    return fail(ErrorCode::bad_value, fmt::format("row {}", place_),
                fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  Status check_row(const ScheduleRow& row) {
    if (row.start != now_)
      return refuse("starts at {}, expected {}: the end of the row before", row.start, now_);
    if (!(row.end >= row.start))
      return refuse("ends at {}, before its start {}", row.end, row.start);
    if (row.end > job_.deadline())
      return refuse("ends at {}, after the horizon {}", row.end, job_.deadline());
    if (row.end > submission_end_) {
      return refuse("ends at {}, after the end of its submission at {}", row.end, submission_end_);
    }
    now_ = row.end;
    const bool is_failure = row.kind == "failure" && row.end == row.start;
    if (is_failure != std::exchange(owes_failure_, false))
      return refuse("is a {}, but {} failure strikes there", row.kind, is_failure ? "no" : "a");
    if (is_failure) return {};
    if (row.kind == "submission") return check_submission(row);
    if (row.kind == "downtime") return check_downtime(row);
    if (row.kind == "waiting") return check_waiting();
    HOLDFAST_CHECK(check_strike(row));
    if (row.kind == "recovery" && follows_checkpoint()) is_down_ = true;  // nodes join
    if (row.kind == "recovery" || row.kind == "local recovery") return check_recovery(row);
    if (row.kind == "work") return check_work(row);
    if (row.kind == "checkpoint") return check_checkpoint(row);
    if (row.kind == "local checkpoint" && job_.local.exists()) return check_local(row);
    if (row.kind == "flush" && job_.late.exist()) return check_flush(row);
    return refuse("has the unknown kind {}", in_quotes(row.kind));
  }

  // Nothing may strike in [start, end); if the activity was lost, a failure or the horizon is at its end.
  Status check_strike(const ScheduleRow& row) {
    while (next_failure() < row.start || strikes_a_wait(row.start)) {
      HOLDFAST_CHECK(meet());  // during a downtime
    }
    if (next_failure() < row.end) {
      return refuse("{} until {} survives the failure at {}", row.kind, row.end, next_failure());
    }
    if (!row.lost || is_cut_short(row)) return {};
    // Work that was done, but whose checkpoint then failed, and a checkpoint that is lost later.
    if (row.kind == "work" && next_is_checkpoint()) return {};
    if (row.kind == "local checkpoint" || (row.kind == "checkpoint" && job_.late.exist()))
      return {};
    return refuse("is lost at {}, but nothing fails there", row.end);
  }

  // A failure at the instant that ends a wait comes before its end.
  bool strikes_a_wait(double end) const {
    return next_failure() == end && failures_[met_].is_lacking;
  }

  // True in a job that goes on with fewer nodes after a checkpoint, and a wait until nodes that join are ready.
  bool follows_checkpoint() const {
    std::size_t before = place_;
    while (before > 0 && rows_[before - 1].kind == "waiting") --before;
    return job_.is_elastic() && before > 0 && rows_[before - 1].kind == "checkpoint" &&
           !rows_[before - 1].lost;
  }

  bool is_cut_short(const ScheduleRow& row) const {
    return next_failure() == row.end || row.end == job_.deadline() || row.end == submission_end_;
  }

  // A submission follows one in which nothing more can be saved, and begins with a recovery.
  Status check_submission(const ScheduleRow& row) {
    const double rounding = 1e-12 * row.end;
    const double needed = job_.iteration + job_.checkpoint + job_.late.flush;
    if (job_.time_limit == 0 || row.end > row.start ||
        row.start + needed < submission_end_ - rounding)
      return refuse("begins a submission, but that before goes on until {}", submission_end_);
    HOLDFAST_CHECK(lose_unsafe(row.end, "the end of the submission"));
    ++submissions_;
    submission_end_ = row.end + job_.time_limit;
    is_down_ = true;
    owes_downtime_ = false;
    return {};
  }

  // A failure destroys all local checkpoints since the last global one, or none.
  Status meet() {
    const Strike& failure = failures_[met_++];
    if (job_.late.exist() && failure.survivor == Level::local) return keep_copies(failure.date);
    HOLDFAST_CHECK(lose_unsafe(failure.date, "the failure"));
    if (!job_.local.exists() || failure.survivor == Level::local) return {};
    if (kept_locally_ > 0) {
      return refuse("{} local checkpoints count as kept, but the failure at {} destroys them",
                    kept_locally_, failure.date);
    }
    lost_locally_ = 0;
    return {};
  }

  Status check_work(const ScheduleRow& row) {
    if (owes_downtime_ || owes_recovery()) return refuse("works before it has recovered");
    is_down_ = false;
    if (!row.lost) {
      const double work = (row.end - row.start) * (speeds_.empty() ? 1 : speeds_[place_]);
      work_ += work;
      after_.work += work;
      if (!next_is_checkpoint() && (job_.ends.final_checkpoint || !is_last()))
        return refuse("is not checkpointed");
    } else if (!next_is_checkpoint()) {
      return lose(row);
    }
    return {};
  }

  Status check_place(const ScheduleRow& row) const {
    if (place_ == 0 || rows_[place_ - 1].kind != "work") return refuse("follows no work");
    if (rows_[place_ - 1].lost != row.lost) return refuse("and its work are not lost together");
    return {};
  }

  // What is not safe by a date, in a checkpoint that is whole, is lost then.
  Status lose_unsafe(double date, std::string_view what) {
    if (!job_.late.exist()) return {};
    HOLDFAST_CHECK(settle(date));
    const double kept = before_.work + after_.work;
    if (kept > 0)
      return refuse("{} s of work count as kept, but {} at {} destroys them", kept, what, date);
    before_ = after_ = {};
    is_in_flight_ = false;
    safe_at_ = 0;
    return {};
  }

  // A failure that local checkpoints survive ends the flush of the last checkpoint, of which the copy in the nodes is left.
  Status keep_copies(double date) {
    HOLDFAST_CHECK(settle(date));
    after_.work += before_.work;
    after_.saves += before_.saves;
    after_.has_lost = after_.has_lost || before_.has_lost;
    before_ = {};
    is_in_flight_ = false;
    safe_at_ = 0;
    return {};
  }

  // The last checkpoint, if it is whole, is safe from its date on, with all work before it.
  Status settle(double date) {
    if (!is_in_flight_ || safe_at_ > date) return {};
    is_in_flight_ = false;
    ++globals_;
    if (!std::exchange(before_, {}).has_lost) return {};
    return refuse("work counts as lost, but a checkpoint that is safe at {} has it", safe_at_);
  }

  // A checkpoint that is not safe at its end. A whole one follows the flush of the one before.
  Status check_late(const ScheduleRow& row) {
    const double rounding = 1e-12 * row.end;
    if (row.start < safe_at_ - rounding)
      return refuse("begins before the one before is safe, at {}", safe_at_);
    const bool is_repeated =
        place_ > 0 && (rows_[place_ - 1].kind == "flush" || rows_[place_ - 1].kind == "checkpoint");
    const bool is_after_copy =
        job_.local.exists() && place_ > 0 &&
        (before_.saves + after_.saves > 0 || rows_[place_ - 1].kind == "local recovery");
    if (!is_repeated && !is_after_copy && (place_ == 0 || rows_[place_ - 1].kind != "work"))
      return refuse("follows no work");
    HOLDFAST_CHECK(settle(row.start + rounding));
    const std::string_view next = is_last() ? "" : rows_[place_ + 1].kind;
    const bool goes_on =
        next == "work" || next == "flush" || next == "checkpoint" || next == "submission";
    const bool has_length = job_.checkpoint_spread > 0 || check_length(row, job_.checkpoint);
    const bool is_whole = goes_on || (is_last() && job_.checkpoint_spread == 0);
    if (row.lost && is_cut_short(row) && !(is_whole && has_length)) return lose(row);
    if (!has_length) return check_length(row, job_.checkpoint);
    ++checkpoints_;
    safe_at_ = row.end + job_.late.flush;
    is_in_flight_ = !row.lost;
    before_.work += after_.work;
    before_.saves += after_.saves + 1;
    before_.has_lost = before_.has_lost || after_.has_lost || row.lost;
    after_ = {};
    const bool is_struck = next_failure() < safe_at_ || job_.deadline() < safe_at_ ||
                           submission_end_ < safe_at_ || job_.local.exists();
    if (row.lost && !is_struck && job_.late.failure == 0)
      return refuse("is lost, but nothing fails before it is safe, at {}", safe_at_);
    return {};
  }

  // The job waits until a checkpoint is safe.
  Status check_flush(const ScheduleRow& row) {
    if (row.lost) return lose(row);
    if (row.end == safe_at_) return {};
    return refuse("ends at {}, but the checkpoint before is safe at {}", row.end, safe_at_);
  }

  Status check_checkpoint(const ScheduleRow& row) {
    if (job_.late.exist()) return check_late(row);
    HOLDFAST_CHECK(check_place(row));
    if (row.lost) return lose(row);
    if (lost_locally_ > 0) return refuse_lost();
    ++checkpoints_;
    ++globals_;
    kept_locally_ = 0;
    return job_.checkpoint_spread > 0 ? Status{} : check_length(row, job_.checkpoint);
  }

  // A written local checkpoint may still be lost: at the next failure that it does not survive.
  Status check_local(const ScheduleRow& row) {
    HOLDFAST_CHECK(check_place(row));
    if (row.lost && is_cut_short(row) && !is_whole_local(row)) return lose(row);
    ++checkpoints_;
    if (job_.late.exist()) {
      ++after_.saves;
      after_.has_lost = after_.has_lost || row.lost;
    } else {
      ++(row.lost ? lost_locally_ : kept_locally_);
    }
    return job_.checkpoint_spread > 0 ? Status{} : check_length(row, job_.local.checkpoint);
  }

  // True if a local checkpoint was completed: a failure at its very end strikes what comes next.
  bool is_whole_local(const ScheduleRow& row) const {
    const bool goes_on = !is_last() && rows_[place_ + 1].kind == "work";
    return goes_on && job_.checkpoint_spread == 0 && check_length(row, job_.local.checkpoint);
  }

  Status refuse_lost() const {
    return refuse("{} local checkpoints count as lost, but no failure destroys them",
                  lost_locally_);
  }

  Status check_downtime(const ScheduleRow& row) {
    if (!owes_downtime_) return refuse("follows no failure");
    owes_downtime_ = false;
    return row.lost ? Status{} : check_length(row, job_.downtime);  // lost: the horizon came
  }

  // Whether it waits for as long as it must is known to validate_nodes().
  Status check_waiting() const {
    if (!job_.platform.has_pool()) return refuse("waits, but a new node is always there");
    if (owes_downtime_) return refuse("waits before its downtime");
    return {};
  }

  Status check_recovery(const ScheduleRow& row) {
    // Measured planning time may prolong a recovery by rows of its own.
    const bool is_planning =
        !owes_recovery() && replans_ && job_.planning.mode == PlanningTime::Mode::measured;
    if (owes_downtime_ || !(owes_recovery() || is_planning))
      return refuse("follows no failure and its downtime");
    if (!is_planning && (row.kind == "local recovery") != reads_local(row)) {
      return refuse("is a {}, but the failures before it leave {}", row.kind,
                    reads_local(row) ? "local checkpoints" : "global checkpoints alone");
    }
    if (row.lost) return lose(row);
    is_down_ = false;
    const bool is_any = is_planning || job_.recovery_spread > 0;
    return is_any ? Status{} : check_length(row, recovery(row));
  }

  Status check_length(const ScheduleRow& row, double length) const {
    const double rounding = 1e-12 * row.end;
    if (std::fabs(row.end - row.start - length) <= rounding) return {};
    return refuse("{} takes {} s, expected {} s", row.kind, row.end - row.start, length);
  }

  Status check_metrics(const Metrics& metrics) const {
    if (lost_locally_ > 0) return refuse_lost();
    if (metrics.completed && job_.ends.final_checkpoint && kept_locally_ > 0)
      return refuse("the work ends in a local checkpoint");
    if (metrics.makespan != now_)
      return refuse("makespan {}, but the rows end at {}", metrics.makespan, now_);
    if (metrics.failures != interruptions_) {
      return refuse("{} failures, but the rows show {}", metrics.failures, interruptions_);
    }
    if (metrics.checkpoints != checkpoints_) {
      return refuse("{} checkpoints, but the rows show {}", metrics.checkpoints, checkpoints_);
    }
    const std::int64_t submissions = metrics.submissions.value_or(1);
    if (metrics.submissions.has_value() != (job_.time_limit > 0) || submissions != submissions_)
      return refuse("{} submissions, but the rows show {}", submissions, submissions_);
    const double rounding = 1e-9 * job_.work;
    if (!job_.is_window && metrics.completed != (std::fabs(work_ - job_.work) <= rounding)) {
      return refuse("completed is {}, but {} s of {} s of work are saved", metrics.completed, work_,
                    job_.work);
    }
    if (std::fabs(metrics.efficiency * now_ - work_) > rounding) {
      return refuse("efficiency {}, but {} s of work are saved in {} s", metrics.efficiency, work_,
                    now_);
    }
    return {};
  }

  // Counts one failure, unless the horizon ended the row.
  Status lose(const ScheduleRow& row) {
    if (next_failure() != row.end) return {};
    HOLDFAST_CHECK(meet());
    ++interruptions_;
    is_down_ = owes_failure_ = true;
    owes_downtime_ = job_.downtime > 0;
    return {};
  }

  // Local checkpoints that are lost later can still be read. Which checkpoints were not whole is not known here.
  bool reads_local(const ScheduleRow& row) const {
    if (job_.late.exist() && job_.late.failure > 0)
      return job_.local.exists() && row.kind == "local recovery";
    return kept_locally_ + lost_locally_ > 0 ||
           (job_.local.exists() && before_.saves + after_.saves > 0);
  }
  bool owes_recovery() const { return is_down_ && recovery(rows_[place_]) > 0; }

  double recovery(const ScheduleRow& row) const {
    const bool is_anything_safe =
        globals_ + kept_locally_ + lost_locally_ + before_.saves + after_.saves > 0;
    const bool is_free = !is_anything_safe && !job_.ends.initial_recovery;
    const bool is_charged = replans_ && job_.planning.mode == PlanningTime::Mode::fixed;
    const double cost = reads_local(row) ? job_.local.recovery : job_.recovery;
    return (is_free ? 0 : cost) + (is_charged ? job_.planning.seconds : 0);
  }

  double next_failure() const {
    return met_ < failures_.size() ? failures_[met_].date : Instance::kNever;
  }
  bool next_is_checkpoint() const {
    if (is_last()) return false;
    const std::string_view kind = rows_[place_ + 1].kind;
    return kind == "checkpoint" || kind == "local checkpoint" ||
           (kind == "flush" && job_.late.exist());
  }
  bool is_last() const { return place_ + 1 == rows_.size(); }

  const Instance& job_;
  const bool replans_;
  std::span<const Strike> failures_;
  std::span<const ScheduleRow> rows_;
  std::span<const double> speeds_;

  std::size_t place_ = 0;
  std::size_t met_ = 0;  ///< failures that are in the past
  double now_ = 0;
  double submission_end_ = job_.time_limit > 0 ? job_.time_limit : Instance::kNever;
  std::int64_t submissions_ = 1;
  double work_ = 0;  ///< saved
  std::int64_t checkpoints_ = 0;
  std::int64_t interruptions_ = 0;
  bool owes_failure_ = false;  ///< the row of a failure
  bool owes_downtime_ = false;
  bool is_down_ = false;
  std::int64_t globals_ = 0;       ///< global checkpoints
  std::int64_t kept_locally_ = 0;  ///< local checkpoints since the last global one or its loss
  std::int64_t lost_locally_ = 0;  ///< local checkpoints whose failure is still to come
  // Of checkpoints that are not safe at their end:
  double safe_at_ = 0;         ///< when the last one is safe, if it is whole
  bool is_in_flight_ = false;  ///< it counts as whole, and is not known to be safe
  /// Work since the last one that is safe.
  struct Unsafe {
    double work = 0;         ///< that counts as kept, seconds
    std::int64_t saves = 0;  ///< checkpoints
    bool has_lost = false;   ///< some counts as lost
  };
  Unsafe before_, after_;  ///< before and after the last one
};

}  // namespace

Status validate(const Instance& instance, bool replans, std::span<const Strike> failures,
                std::span<const ScheduleRow> rows, const Metrics& metrics,
                std::span<const double> speeds) {
  return Check(instance, replans, failures, rows, speeds).run(metrics);
}

Status validate_nodes(std::span<const ScheduleRow> rows, NodePool& pool) {
  std::size_t last = 0;  // the last change at or before the start of the row
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ScheduleRow& row = rows[i];
    if (row.kind == "downtime" || !(row.end > row.start)) continue;
    while (pool.reach(last + 1) && pool.change(last + 1).date <= row.start) ++last;
    for (std::size_t k = last;; ++k) {
      const PoolChange& change = pool.change(k);
      const double end = pool.reach(k + 1) ? std::min(row.end, pool.change(k + 1).date) : row.end;
      const bool is_full = change.in_use == pool.rules().nodes;
      const double there = is_full ? std::max(change.ready, row.start) : Instance::kNever;
      const bool is_wrong = row.kind == "waiting" ? there < end : there > row.start;
      if (is_wrong) {
        return fail(ErrorCode::bad_value, fmt::format("row {}", i),
                    fmt::format("{} from {} to {}, but all nodes are ready at {}", row.kind,
                                row.start, row.end, there));
      }
      if (end == row.end || row.kind != "waiting") break;
    }
  }
  return {};
}

std::vector<Strike> strikes_until(double end, const Instance& instance, Realisation& realisation) {
  FailureTrace& trace = realisation.trace();
  const double start = start_date(instance);
  const std::size_t behind = trace.index_at(start + end);
  std::vector<Strike> out;
  for (std::size_t i = trace.index_at(start); i < behind; ++i) {
    out.push_back({.date = trace.failures()[i].date - start});
    if (NodePool* pool = realisation.pool()) {
      const PoolChange& before = pool->change(pool->strike(i) - 1);
      out.back().is_lacking = before.in_use < pool->rules().nodes || before.ready > out.back().date;
    }
    if (instance.local.exists())
      out.back().survivor = realisation.survivor(i, instance.local.share);
  }
  return out;
}

Status validate_run(const Instance& instance, bool replans, Realisation& realisation,
                    std::span<const ScheduleRow> rows, const Metrics& metrics) {
  NodePool* pool = realisation.pool();
  if (!instance.is_elastic()) {
    const auto failures =
        strikes_until(metrics.makespan + instance.checkpoint, instance, realisation);
    HOLDFAST_CHECK(validate(instance, replans, failures, rows, metrics));
    return pool == nullptr ? Status{} : validate_nodes(rows, *pool);
  }
  realisation.restart();
  HOLDFAST_TRY(found, follow_nodes(instance, rows, *realisation.pool()));
  if (found.joins != metrics.joins)
    return fail(
        ErrorCode::bad_value, "",
        fmt::format("{} joins, but the rows show {}", metrics.joins.value_or(0), found.joins));
  return validate(instance, replans, found.strikes, rows, metrics, found.speeds);
}

}  // namespace holdfast::checkpoint
