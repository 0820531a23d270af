#pragma once

#include "holdfast/domains/capacity/placement/row.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"
#include "holdfast/domains/capacity/placement/tail.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace holdfast::capacity {

/// Tasks whose plans were put off, in the order in which they are to be made. Of each it is known that it does not start
/// before some time, on any machine or on one.
class Lane {
 public:
  /// Makes a lane of tasks whose search begins at one of `machines` machines from `first` on.
  Lane(std::int64_t first, std::int64_t machines)
      : settled_on_(static_cast<std::size_t>(machines)),
        first_machine_{first},
        work_(static_cast<std::size_t>(machines), 0) {}

  struct Entry {
    StartBounds::Row bounds;  ///< by machine: no start before
    std::int64_t length;      ///< of its next run
    std::uint32_t task;
    std::int32_t cores;
    std::int32_t used;  ///< machines in use when its turn came
    std::int32_t from;  ///< the machine that its search began at
    bool is_planned = false;
  };

  [[nodiscard]] std::int64_t first_machine() const { return first_machine_; }
  [[nodiscard]] bool empty() const { return row_.empty(); }
  [[nodiscard]] const Row<Entry>& row() const { return row_; }
  /// Returns the total length of the runs that have no plan yet.
  [[nodiscard]] std::int64_t length() const { return length_; }
  /// Core-seconds that those without a plan take within their first `kClip` seconds, of those whose search began no
  /// further than `reach` from that machine of the lane.
  [[nodiscard]] std::int64_t work_near(std::int64_t machine, std::int64_t reach) const {
    const std::int64_t at = machine - first_machine_;
    const auto machines = static_cast<std::int64_t>(work_.size());
    return std::accumulate(work_.begin() + std::max<std::int64_t>(0, at - reach),
                           work_.begin() + std::min(machines, at + reach + 1), std::int64_t{0});
  }
  static constexpr std::int64_t kClip = 3600;

  /// @param not_before  the task does not start before
  void push(const Entry& entry, std::int64_t not_before) {
    if (empty()) restart();
    row_.push(not_before, entry.bounds, entry.length, entry.task, entry.cores, entry.used,
              entry.from);
    length_ += entry.length;
    work_from(entry) += work_of(entry);
    least_used_ = std::min<std::int64_t>(least_used_, entry.used);
    most_used_ = std::max<std::int64_t>(most_used_, entry.used);
  }
  /// A plan was made for that task.
  void take(std::size_t at) {
    row_.take(at);
    length_ -= row_[at].length;
    work_from(row_[at]) -= work_of(row_[at]);
    if (at >= in_tail_) tail_until_ = kNever;
  }
  void clear() {
    restart();
    gave_up_ = false;
  }

  /// Said of all machines, where a machine is asked for.
  static constexpr std::int64_t kAll = -1;
  /// None of the tasks without a plan that stand before `at` starts on the machine before that time.
  [[nodiscard]] std::int64_t settled_before(std::size_t at, std::int64_t machine = kAll) const {
    return row_.first() >= at ? kNever : settled_at(at - 1, machine);
  }
  /// If it has no plan, the task there does not start on the machine before.
  [[nodiscard]] std::int64_t settled_at(std::size_t at, std::int64_t machine = kAll) const {
    const std::int64_t on_all = row_.settled_at(at);
    return machine == kAll ? on_all : std::max(on_all, of(machine).at(at).value_or(on_all));
  }
  /// The first task that might have no plan and start on the machine before.
  [[nodiscard]] std::size_t first_unsettled(std::int64_t time, std::int64_t machine = kAll) const {
    const std::size_t on_all = row_.first_unsettled(time);
    return machine == kAll ? on_all : std::max(on_all, of(machine).until(time));
  }
  /// All tasks before `until` that start on the machine before the time have their plans now.
  void settled(std::size_t until, std::int64_t time, std::int64_t machine = kAll) {
    if (machine == kAll) return row_.settled(until, time);
    of(machine).add(until, time);
  }

  /// No more machines were in use at any of its tasks.
  [[nodiscard]] std::int64_t least_used() const { return least_used_; }
  /// No fewer machines were in use at any of its tasks.
  [[nodiscard]] std::int64_t most_used() const { return most_used_; }

  /// The tail of machines below `until`, with the tasks of the lane. Where has_tail() is false, the owner fills a new one.
  [[nodiscard]] bool has_tail(std::int64_t until) const { return tail_until_ <= until; }
  [[nodiscard]] Tail& new_tail(std::int64_t until) {
    tail_.clear();
    tail_until_ = until;
    in_tail_ = row_.first();
    return tail_;
  }
  /// It could not be told of a task that it may wait. Until clear() it is not asked of another: that costs as much as a few
  /// plans, and is told of few.
  void give_up() { gave_up_ = true; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  /// Something else was put on the lane's machines.
  void forget_tail() { tail_until_ = kNever; }
  /// From when a task has its cores at the latest, if it comes after all that are here. All take `width` cores.
  [[nodiscard]] std::int64_t latest_start(std::int64_t width) {
    for (; in_tail_ < row_.size(); ++in_tail_) {
      const Entry& entry = row_[in_tail_];
      if (!entry.is_planned) tail_.take(width, entry.length);
    }
    return tail_.free_from(width);
  }

 private:
  // As if nothing had been put on it, once all has its plan.
  void restart() {
    row_.clear();
    for (Settled& on_machine : settled_on_) on_machine.clear();
    length_ = 0;
    std::fill(work_.begin(), work_.end(), 0);
    least_used_ = kNever;
    most_used_ = 0;
    forget_tail();
  }
  static std::int64_t work_of(const Entry& entry) {
    return entry.cores * std::min(entry.length, kClip);
  }

  [[nodiscard]] const Settled& of(std::int64_t machine) const {
    return settled_on_[static_cast<std::size_t>(machine - first_machine_)];
  }
  [[nodiscard]] Settled& of(std::int64_t machine) {
    return settled_on_[static_cast<std::size_t>(machine - first_machine_)];
  }

  std::int64_t& work_from(const Entry& entry) {
    return work_[static_cast<std::size_t>(entry.from - first_machine_)];
  }

  Row<Entry> row_;                   // and what is settled on all machines
  std::vector<Settled> settled_on_;  // by machine
  std::int64_t length_ = 0;
  std::int64_t first_machine_;
  std::vector<std::int64_t> work_;  // by the machine that the search began at
  std::int64_t least_used_ = kNever;
  std::int64_t most_used_ = 0;
  Tail tail_;
  std::int64_t tail_until_ = kNever;
  bool gave_up_ = false;
  std::size_t in_tail_ = 0;  // entries before it are in the tail
};

}  // namespace holdfast::capacity
