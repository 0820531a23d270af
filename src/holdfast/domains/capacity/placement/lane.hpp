#pragma once

#include "holdfast/domains/capacity/placement/availability_profile.hpp"
#include "holdfast/domains/capacity/placement/request.hpp"
#include "holdfast/domains/capacity/placement/settled.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// Deferred jobs, each of which goes to one of the lane's machines, in the order in which their plans will be made. The jobs
/// before some place are settled before some time if those of them that start before that time, on any machine or on one of
/// them, have plans: a search for a slot that ends by then can ignore the others. The end of a lane is the time from which its
/// machines have the cores of the widest job free for good, given the plans made so far. It bounds how long a job waits.
class Lane {
 public:
  struct Entry {
    std::int64_t length;  ///< length of its next run, seconds
    std::uint32_t task;
    std::int32_t cores;
    MachineRange machines;  ///< the machines that it may go to, as decided at its turn
    StartBounds::Place place;
    bool is_planned = false;
  };
  /// Stands for all machines of the lane in the functions below.
  static constexpr std::int64_t kAll = -1;

  /// Makes an empty lane, whose jobs go to one of the machines from `first` on.
  /// @param by_machine  the number of machines, counted from machine 0, for which jobs may be settled one machine at a time
  explicit Lane(std::int64_t first, std::int64_t by_machine = 0)
      : machines_{static_cast<std::int32_t>(first), static_cast<std::int32_t>(first), 0},
        settled_on_(static_cast<std::size_t>(by_machine)) {}

  [[nodiscard]] bool empty() const { return first_ == entries_.size(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& operator[](std::size_t at) const { return entries_[at]; }
  /// Returns the place of the first task without a plan.
  [[nodiscard]] std::size_t first() const { return first_; }
  /// Returns a time before which no task without a plan starts; kNever if all have plans.
  [[nodiscard]] std::int64_t wake() const { return empty() ? kNever : wake_; }
  /// Returns the total core-seconds of the jobs without a plan.
  [[nodiscard]] std::int64_t area() const { return area_; }
  /// Returns the machines to which its tasks may go.
  [[nodiscard]] const MachineRange& machines() const { return machines_; }

  /// Adds a task to the lane.
  /// @param not_before  a time before which the task does not start
  void push(const PlacementRequest& job, const MachineRange& machines, std::int64_t not_before) {
    if (empty()) restart();
    if (not_before < wake_) {
      if (!entries_.empty()) settled(entries_.size(), wake_);
      wake_ = not_before;
    }
    // Field by field: copying a whole entry is slower.
    entries_.emplace_back(job.length, job.task, job.cores, machines, job.place);
    area_ += job.cores * job.length;
    widest_ = std::max<std::int64_t>(widest_, job.cores);
    machines_.until = std::max(machines_.until, machines.until);
  }
  /// Records that the task at this place has a plan.
  void take(std::size_t at) {
    Entry& entry = entries_[at];
    entry.is_planned = true;
    while (first_ < entries_.size() && entries_[first_].is_planned) ++first_;
    area_ -= entry.cores * entry.length;
    taken_ += entry.cores * entry.length;
  }
  /// Records that all tasks before `until` have plans. Forgets the end, because these plans allow a better one.
  void take_until(std::size_t until) {
    for (; first_ < until; ++first_) {
      const Entry& entry = entries_[first_];
      if (!entry.is_planned) area_ -= entry.cores * entry.length;
    }
    while (first_ < entries_.size() && entries_[first_].is_planned) ++first_;
    forget_end();
  }
  void clear() {
    restart();
    forget_end();
  }

  /// Returns a time before which none of the tasks before `at` that have no plan starts on the machine; kNever if all have
  /// plans.
  [[nodiscard]] std::int64_t settled_before(std::size_t at, std::int64_t machine) const {
    if (first_ >= at) return kNever;
    const std::int64_t on_all = std::max(wake_, settled_.at(at - 1).value_or(wake_));
    return machine == kAll ? on_all : std::max(on_all, of(machine).at(at - 1).value_or(on_all));
  }
  /// Returns the place of the first task that might have no plan and start on the machine before the time.
  [[nodiscard]] std::size_t first_unsettled(std::int64_t time, std::int64_t machine) const {
    if (wake_ >= time) return entries_.size();
    const std::size_t on_all = std::max(first_, settled_.until(time));
    return machine == kAll ? on_all : std::max(on_all, of(machine).until(time));
  }
  /// Records that all tasks before `until` that start on the machine before that time have plans.
  void settled(std::size_t until, std::int64_t time, std::int64_t machine = kAll) {
    if (machine != kAll) return settled_on_[static_cast<std::size_t>(machine)].add(until, time);
    if (until == entries_.size()) wake_ = std::max(wake_, time);
    settled_.add(until, time);
  }

  /// Returns true if one more job with this number of cores, put last on the lane, certainly starts by `time` on one of the
  /// `machines` machines of `all` cores. Each task starts as soon as some machine has enough cores that are free for good. So
  /// while a task waits, each machine has fewer such cores than the task needs. Its other cores do work that comes before the
  /// task, and the amount of this work bounds the wait.
  /// @pre all * machines <= kMostCores
  [[nodiscard]] bool surely_starts_by(std::int64_t time, std::int64_t cores, std::int64_t all,
                                      std::int64_t machines) const {
    return surely_starts_by(time, (all - widest_with(cores) + 1) * machines);
  }
  /// The same for machines that differ in size, given the cores that surely work while a task waits: all but widest_with(cores) - 1
  /// of each machine that has as many. On smaller machines none need to.
  [[nodiscard]] bool surely_starts_by(std::int64_t time, std::int64_t busy) const {
    constexpr std::int64_t kMostWait = std::int64_t{1} << 31U;  // so that the product has 64 bits
    return taken_ + area_ <= std::min(kMostWait, time - end_) * busy;
  }
  /// Returns the largest number of cores of a task on the lane, one with this number included.
  [[nodiscard]] std::int64_t widest_with(std::int64_t cores) const {
    return std::max(widest_, cores);
  }
  /// The largest number of cores of all machines of a lane that surely_starts_by() can take.
  static constexpr std::int64_t kMostCores = std::int64_t{1} << 31U;
  /// Returns true if the end is known, for this number of machines.
  [[nodiscard]] bool has_end(std::int64_t machines) const { return end_of_ == machines; }
  /// Sets the end of the lane, for this number of machines.
  void set_end(AvailabilityProfile::End end, std::int64_t machines) {
    end_ = end.time;
    taken_ = end.taken;
    end_of_ = machines;
    if (empty()) widest_ = 0;
  }
  /// Forgets the end, because another job was placed on the machine or because new plans allow a better one.
  void forget_end() { end_of_ = 0; }

 private:
  // Resets the lane to an empty one, once all its tasks have plans.
  void restart() {
    entries_.clear();
    settled_.clear();
    for (Settled& on_machine : settled_on_) on_machine.clear();
    first_ = 0;
    wake_ = kNever;
    area_ = 0;
    machines_.until = 0;
  }
  [[nodiscard]] const Settled& of(std::int64_t machine) const {
    return settled_on_[static_cast<std::size_t>(machine)];
  }

  MachineRange machines_;
  std::vector<Entry> entries_;
  Settled settled_;                  // on all machines
  std::vector<Settled> settled_on_;  // by machine
  std::size_t first_ = 0;            // all tasks before this place have plans
  std::int64_t wake_ = kNever;
  std::int64_t area_ = 0;
  std::int64_t widest_ = 0;  // most cores of a task without a plan, or planned since end_ was set
  std::int64_t end_ = 0;
  std::int64_t taken_ = 0;   // core-seconds that are planned from end_ on
  std::int64_t end_of_ = 0;  // machines for which the end is known
};

}  // namespace holdfast::capacity
