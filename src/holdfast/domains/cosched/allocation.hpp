#pragma once

#include "holdfast/domains/cosched/expected_time.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::cosched {

/// The number of processors of each task: even, at least 2 while the task runs, 0 once it has ended.
using Allocation = std::vector<std::int64_t>;

/// Returns the allocation of Algorithm 1. Pairs of processors go one by one to the task that is expected to end last, as long
/// as the remaining pairs can make it end earlier; pairs without effect are given back. It minimises the largest expected time.
///
/// The running minimum of Eq. 6 is computed only when needed instead of being tabulated. Cost: O(pairs handed out), plus one
/// scan of the rest where the next pair alone brings nothing.
/// @pre processors even, >= 2 times.size(). Source: the co-scheduling report, Algorithm 1; README.md, readings (which minimum, giving
///      pairs back).
[[nodiscard]] Allocation initial_allocation(std::span<const TaskTimes> times,
                                            std::int64_t processors);

/// The processors of each task, needed to replay a trace. First shrinking tasks release their highest-numbered processors (in
/// ascending order of tasks), then growing tasks take the lowest-numbered free ones. Counts are even, so the pairs (2k, 2k+1),
/// which hold each other's checkpoints, stay together.
class Ownership {
 public:
  static constexpr std::int64_t kIdle = -1;

  Ownership(std::int64_t processors, std::size_t tasks);
  /// Changes from the current allocation to another.
  void assign(std::span<const std::int64_t> allocation);
  /// Returns the task that owns the processor, or kIdle.
  /// @pre 0 <= processor
  [[nodiscard]] std::int64_t owner(std::int64_t processor) const;
  /// Sets the processors of a task, for a state that was not reached by assign().
  void set(std::size_t task, std::span<const std::int64_t> processors);

 private:
  std::vector<std::int64_t> owner_of_pair_;
  std::vector<std::vector<std::int64_t>> pairs_;  ///< [task] pairs in ascending order
};

}  // namespace holdfast::cosched
