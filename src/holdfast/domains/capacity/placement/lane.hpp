#pragma once

#include "holdfast/domains/capacity/placement/request.hpp"
#include "holdfast/domains/capacity/placement/row.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// Deferred jobs, each of which may go to one of several machines, in the order in which their plans will be made. Each is
/// known not to start before some time, on any machine or on one of them.
class Lane {
 public:
  /// A lane of jobs that go to one of `machines` machines from `first` on.
  Lane(std::int64_t first, std::int64_t machines)
      : settled_on_(static_cast<std::size_t>(machines)), first_machine_{first} {}

  struct Entry {
    StartBounds::Row bounds;  ///< by machine: a time before which the job does not start
    std::int64_t length;      ///< length of its next run
    std::uint32_t task;
    std::int32_t cores;
    Vicinity machines;  ///< the machines that it may go to, as decided at its turn
    bool is_planned = false;
  };

  [[nodiscard]] bool empty() const { return row_.empty(); }
  [[nodiscard]] const Row<Entry>& row() const { return row_; }
  /// Returns the total length of the jobs without a plan, seconds.
  [[nodiscard]] std::int64_t length() const { return length_; }

  /// Adds a task to the lane.
  /// @param not_before  a time before which the task does not start
  void push(const Entry& entry, std::int64_t not_before) {
    if (empty()) restart();
    row_.push(not_before, entry.bounds, entry.length, entry.task, entry.cores, entry.machines);
    length_ += entry.length;
    until_ = std::max<std::int64_t>(until_, entry.machines.until);
  }
  /// Records that the task at this place has a plan.
  void take(std::size_t at) {
    row_.take(at);
    length_ -= row_[at].length;
  }
  /// Stops deferring jobs until clear(). If one job cannot be shown to start in time, few others can, and trying costs more
  /// than it saves.
  void give_up() { gave_up_ = true; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  void clear() {
    restart();
    gave_up_ = false;
  }

  /// Means "all machines" in the functions below.
  static constexpr std::int64_t kAll = -1;
  /// Returns a time before which none of the tasks before `at` without a plan starts on the machine; kNever if all have plans.
  [[nodiscard]] std::int64_t settled_before(std::size_t at, std::int64_t machine = kAll) const {
    return row_.first() >= at ? kNever : settled_at(at - 1, machine);
  }
  /// Returns a time before which the task at this place does not start on the machine, if it has no plan.
  [[nodiscard]] std::int64_t settled_at(std::size_t at, std::int64_t machine = kAll) const {
    const std::int64_t on_all = row_.settled_at(at);
    return machine == kAll ? on_all : std::max(on_all, of(machine).at(at).value_or(on_all));
  }
  /// Returns the first task that might have no plan and start on the machine before that time.
  [[nodiscard]] std::size_t first_unsettled(std::int64_t time, std::int64_t machine = kAll) const {
    const std::size_t on_all = row_.first_unsettled(time);
    return machine == kAll ? on_all : std::max(on_all, of(machine).until(time));
  }
  /// Records that all tasks before `until` that start on the machine before that time have plans.
  void settled(std::size_t until, std::int64_t time, std::int64_t machine = kAll) {
    if (machine == kAll) return row_.settled(until, time);
    of(machine).add(until, time);
  }

  /// Returns the first machine such that no task of the lane may go to it or to a later one.
  [[nodiscard]] std::int64_t until() const { return until_; }

 private:
  // Resets the lane to an empty one, once all its tasks have plans.
  void restart() {
    row_.clear();
    for (Settled& on_machine : settled_on_) on_machine.clear();
    length_ = 0;
    until_ = 0;
  }

  [[nodiscard]] const Settled& of(std::int64_t machine) const {
    return settled_on_[static_cast<std::size_t>(machine - first_machine_)];
  }
  [[nodiscard]] Settled& of(std::int64_t machine) {
    return settled_on_[static_cast<std::size_t>(machine - first_machine_)];
  }

  Row<Entry> row_;                   // the tasks, and what is settled on all machines
  std::vector<Settled> settled_on_;  // by machine
  std::int64_t length_ = 0;
  std::int64_t first_machine_;
  std::int64_t until_ = 0;
  bool gave_up_ = false;
};

/// The turn of a job that waits in a lane. Its search begins at the time before which it is known not to start; without a lane,
/// it begins now.
struct Turn {
  const Lane* lane = nullptr;
  std::size_t at = 0;
  [[nodiscard]] std::int64_t not_before(std::int64_t machine) const {
    return lane == nullptr ? 0 : lane->settled_at(at, machine);
  }
};

}  // namespace holdfast::capacity
