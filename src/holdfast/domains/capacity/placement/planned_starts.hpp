#pragma once

#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// A planned start.
struct PlannedStart {
  std::int64_t start;
  std::uint32_t task;
  std::int32_t machine;
};

/// The planned starts in the order in which they come due. Most of them lie beyond the next change of the capacity, which drops
/// them all; these are kept unsorted.
class PlannedStarts {
 public:
  /// @param by_machine  true: equal starts are ordered by machine, then by task; false: by task
  explicit PlannedStarts(bool by_machine) : later_{by_machine} {}

  /// Returns the first planned start, or kNever.
  [[nodiscard]] std::int64_t next() const {
    return std::min(first_beyond_, soon_.empty() ? kNever : soon_.front().start);
  }
  [[nodiscard]] bool is_due(std::int64_t now) const {
    return !soon_.empty() && soon_.front().start == now;
  }
  /// Removes the first planned start before the horizon, and returns it.
  PlannedStart pop() {
    std::pop_heap(soon_.begin(), soon_.end(), later_);
    const PlannedStart first = soon_.back();
    soon_.pop_back();
    return first;
  }
  void add(const PlannedStart& plan, std::int64_t horizon) {
    if (plan.start < horizon) return add_soon(plan);
    beyond_.push_back(plan);
    first_beyond_ = std::min(first_beyond_, plan.start);
  }
  /// Returns the first planned start beyond the horizon, or kNever.
  [[nodiscard]] std::int64_t first_beyond() const { return first_beyond_; }
  /// Moves the horizon: the starts before it join the sorted ones.
  void take_up(std::int64_t horizon) {
    const auto left = std::partition(beyond_.begin(), beyond_.end(), [&](const PlannedStart& plan) {
      return plan.start >= horizon;
    });
    for (auto plan = left; plan != beyond_.end(); ++plan) add_soon(*plan);
    beyond_.erase(left, beyond_.end());
    find_first();
  }
  /// Removes the planned starts for which drops(plan) is true.
  template <class Drops>
  void drop_if(Drops drops) {
    if (std::erase_if(soon_, drops) > 0) std::make_heap(soon_.begin(), soon_.end(), later_);
    std::erase_if(beyond_, drops);
    find_first();
  }
  /// Calls visit(plan) for each planned start, in any order.
  template <class Visit>
  void each(Visit visit) const {
    for (const PlannedStart& plan : soon_) visit(plan);
    for (const PlannedStart& plan : beyond_) visit(plan);
  }
  void clear() {
    soon_.clear();
    beyond_.clear();
    first_beyond_ = kNever;
  }

 private:
  struct Later {
    bool by_machine;
    bool operator()(const PlannedStart& a, const PlannedStart& b) const {
      if (a.start != b.start) return a.start > b.start;
      if (by_machine && a.machine != b.machine) return a.machine > b.machine;
      return a.task > b.task;
    }
  };
  void find_first() {
    first_beyond_ = kNever;
    for (const PlannedStart& plan : beyond_) first_beyond_ = std::min(first_beyond_, plan.start);
  }
  void add_soon(const PlannedStart& plan) {
    soon_.push_back(plan);
    std::push_heap(soon_.begin(), soon_.end(), later_);
  }

  Later later_;
  std::vector<PlannedStart> soon_;    // a heap of the starts before the horizon
  std::vector<PlannedStart> beyond_;  // the starts beyond the horizon, unsorted
  std::int64_t first_beyond_ = kNever;
};

}  // namespace holdfast::capacity
