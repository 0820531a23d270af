#include "holdfast/domains/checkpoint/validate.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace holdfast::checkpoint {
namespace {

class Check {
 public:
  Check(const Instance& job, bool replans, std::span<const double> failures,
        std::span<const ScheduleRow> rows)
      : job_{job}, replans_{replans}, failures_{failures}, rows_{rows} {}

  Status run(const Metrics& metrics) {
    for (place_ = 0; place_ < rows_.size(); ++place_) HOLDFAST_CHECK(check_row(rows_[place_]));
    if (!rows_.empty()) --place_;
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
    now_ = row.end;
    if (row.kind == "downtime") return check_downtime(row);
    HOLDFAST_CHECK(check_strike(row));
    if (row.kind == "recovery") return check_recovery(row);
    if (row.kind == "work") return check_work(row);
    if (row.kind == "checkpoint") return check_checkpoint(row);
    return refuse("has the unknown kind {}", in_quotes(row.kind));
  }

  // Nothing may strike in [start, end); where something was lost, a failure or the horizon is at its end.
  Status check_strike(const ScheduleRow& row) {
    while (met_ < failures_.size() && failures_[met_] < row.start) ++met_;  // during a downtime
    const double failure = met_ < failures_.size() ? failures_[met_] : Instance::kNever;
    if (failure < row.end) {
      return refuse("{} until {} survives the failure at {}", row.kind, row.end, failure);
    }
    if (!row.lost) return {};
    // Work that was done, but whose checkpoint then failed.
    const bool is_waiting = row.kind == "work" && next_is("checkpoint");
    if (is_waiting || failure == row.end || row.end == job_.deadline()) return {};
    return refuse("is lost at {}, but nothing fails there", row.end);
  }

  Status check_work(const ScheduleRow& row) {
    if (owes_downtime_ || owes_recovery_) return refuse("works before it has recovered");
    if (!row.lost) {
      work_ += row.end - row.start;
      if (!next_is("checkpoint") && (job_.ends.final_checkpoint || !is_last()))
        return refuse("is not checkpointed");
    } else if (!next_is("checkpoint")) {
      lose(row);
    }
    return {};
  }

  Status check_checkpoint(const ScheduleRow& row) {
    if (place_ == 0 || rows_[place_ - 1].kind != "work") return refuse("follows no work");
    if (rows_[place_ - 1].lost != row.lost) return refuse("and its work are not lost together");
    if (row.lost) {
      lose(row);
      return {};
    }
    ++checkpoints_;
    return job_.checkpoint_spread > 0 ? Status{} : check_length(row, job_.checkpoint);
  }

  Status check_downtime(const ScheduleRow& row) {
    if (!owes_downtime_) return refuse("follows no failure");
    owes_downtime_ = false;
    return row.lost ? Status{} : check_length(row, job_.downtime);  // lost: the horizon came
  }

  Status check_recovery(const ScheduleRow& row) {
    // Planning that was measured may prolong a recovery by rows of its own.
    const bool is_planning =
        !owes_recovery_ && replans_ && job_.planning.mode == PlanningTime::Mode::measured;
    if (owes_downtime_ || !(owes_recovery_ || is_planning))
      return refuse("follows no failure and its downtime");
    if (row.lost) {
      lose(row);
      return {};
    }
    owes_recovery_ = false;
    const bool is_any = is_planning || job_.recovery_spread > 0;
    return is_any ? Status{} : check_length(row, recovery());
  }

  Status check_length(const ScheduleRow& row, double length) const {
    const double rounding = 1e-12 * row.end;
    if (std::fabs(row.end - row.start - length) <= rounding) return {};
    return refuse("{} takes {} s, expected {} s", row.kind, row.end - row.start, length);
  }

  Status check_metrics(const Metrics& metrics) const {
    if (metrics.makespan != now_)
      return refuse("makespan {}, but the rows end at {}", metrics.makespan, now_);
    if (metrics.failures != interruptions_) {
      return refuse("{} failures, but the rows show {}", metrics.failures, interruptions_);
    }
    if (metrics.checkpoints != checkpoints_) {
      return refuse("{} checkpoints, but the rows show {}", metrics.checkpoints, checkpoints_);
    }
    const double rounding = 1e-9 * job_.work;
    if (metrics.completed != (std::fabs(work_ - job_.work) <= rounding)) {
      return refuse("completed is {}, but {} s of {} s of work are saved", metrics.completed, work_,
                    job_.work);
    }
    if (std::fabs(metrics.efficiency * now_ - work_) > rounding) {
      return refuse("efficiency {}, but {} s of work are saved in {} s", metrics.efficiency, work_,
                    now_);
    }
    return {};
  }

  // One failure is met, unless it was the horizon that came.
  void lose(const ScheduleRow& row) {
    if (met_ == failures_.size() || failures_[met_] != row.end) return;
    ++met_;
    ++interruptions_;
    owes_downtime_ = job_.downtime > 0;
    owes_recovery_ = recovery() > 0;
  }

  double recovery() const {
    const bool is_free = checkpoints_ == 0 && !job_.ends.initial_recovery;
    const bool is_charged = replans_ && job_.planning.mode == PlanningTime::Mode::fixed;
    return (is_free ? 0 : job_.recovery) + (is_charged ? job_.planning.seconds : 0);
  }

  bool next_is(std::string_view kind) const { return !is_last() && rows_[place_ + 1].kind == kind; }
  bool is_last() const { return place_ + 1 == rows_.size(); }

  const Instance& job_;
  const bool replans_;
  std::span<const double> failures_;
  std::span<const ScheduleRow> rows_;

  std::size_t place_ = 0;
  std::size_t met_ = 0;  ///< failures that are in the past
  double now_ = 0;
  double work_ = 0;  ///< saved
  std::int64_t checkpoints_ = 0;
  std::int64_t interruptions_ = 0;
  bool owes_downtime_ = false;
  bool owes_recovery_ = false;
};

}  // namespace

Status validate(const Instance& instance, bool replans, std::span<const double> failures,
                std::span<const ScheduleRow> rows, const Metrics& metrics) {
  return Check(instance, replans, failures, rows).run(metrics);
}

}  // namespace holdfast::checkpoint
