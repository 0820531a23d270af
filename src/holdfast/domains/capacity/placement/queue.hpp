#pragma once

#include "holdfast/domains/capacity/placement/availability_profile.hpp"
#include "holdfast/domains/capacity/placement/row.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// Deferred tasks that wait for one machine, in the order in which their plans will be made.
class Queue {
 public:
  struct Entry {
    std::int64_t length;  ///< length of its next run
    std::uint32_t task;
    std::int32_t cores;
    StartBounds::Place place;
    bool is_planned = false;
  };

  [[nodiscard]] bool empty() const { return row_.empty(); }
  [[nodiscard]] const Row<Entry>& row() const { return row_; }
  /// Returns the total core-seconds of the jobs without a plan.
  [[nodiscard]] std::int64_t area() const { return area_; }

  /// Adds a task to the queue.
  /// @param not_before  a time before which the task does not start
  void push(const Entry& entry, std::int64_t not_before) {
    if (empty()) restart();
    row_.push(not_before, entry.length, entry.task, entry.cores, entry.place);
    area_ += entry.cores * entry.length;
    widest_ = std::max<std::int64_t>(widest_, entry.cores);
  }
  /// Records that the task at this place has a plan.
  void take(std::size_t at) {
    const std::int64_t area = row_[at].cores * row_[at].length;
    row_.take(at);
    area_ -= area;
    if (has_end()) taken_ += area;
  }
  /// Records that all tasks before `until` have plans; those that had none ask for `area` core-seconds. The cached end is no
  /// longer valid.
  void take_until(std::size_t until, std::int64_t area) {
    row_.take_until(until);
    area_ -= area;
    forget_end();
  }
  void clear() {
    restart();
    forget_end();
  }
  /// Records that all tasks before `until` that start before that time have plans.
  void settled(std::size_t until, std::int64_t time) { row_.settled(until, time); }

  /// Returns true if one more job with this number of cores certainly starts by then, even if it comes last. While one of the
  /// tasks waits, and each starts as soon as enough of the machine's `all` cores stay free, fewer cores are idle than that task
  /// asks for. So the work before the job bounds its wait.
  [[nodiscard]] bool surely_starts_by(std::int64_t time, std::int64_t cores,
                                      std::int64_t all) const {
    constexpr std::int64_t kMostWait = std::int64_t{1} << 31U;
    const std::int64_t busy = all - std::max(widest_, cores) + 1;
    return taken_ + area_ <= std::min(kMostWait, time - end_) * busy;
  }
  [[nodiscard]] bool has_end() const { return taken_ != kUnknown; }
  /// Sets the time from which, according to the plans, the widest task keeps its cores on the machine.
  void set_end(AvailabilityProfile::End end) {
    end_ = end.time;
    taken_ = end.taken;
    if (empty()) widest_ = 0;
  }
  /// Deletes the cached end, because another job was placed on the machine, or because all tasks have plans and the end is
  /// known better.
  void forget_end() { taken_ = kUnknown; }

 private:
  static constexpr std::int64_t kUnknown = kNever / 2;

  void restart() {
    row_.clear();
    area_ = 0;
  }

  Row<Entry> row_;
  std::int64_t area_ = 0;
  // maximum over these tasks and all that were planned since end_ was found
  std::int64_t widest_ = 0;
  std::int64_t end_ = 0;
  std::int64_t taken_ = kUnknown;  // core-seconds planned from end_ on
};

}  // namespace holdfast::capacity
