#pragma once

#include "holdfast/domains/workflow/instance.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::workflow {

/// The list schedule without failures and checkpoints. Every strategy keeps its order.
struct FailureFree {
  /// Tasks by start; tasks with equal starts in the order in which the scheduler started them.
  std::vector<TaskIndex> order;
  std::vector<double> starts;          ///< [n] start of each task, seconds
  std::vector<TaskIndex> completions;  ///< tasks by end
  double makespan = 0;                 ///< seconds
};

/// Makes the list schedule. At time 0 and whenever tasks end, all tasks that end at this time first give their processors back;
/// then ready tasks start in order of priority, each one that fits. With instance.strict, no task starts after the first one
/// that does not fit.
/// @param extra  [n] additional seconds of each task, for instance checkpoints; or empty
/// Cost: O((n + e) log n). Source: Perotin's thesis, section 6.2.2; ties as described above.
[[nodiscard]] FailureFree failure_free_schedule(const Instance& instance,
                                                std::span<const double> extra = {});

/// Returns for each task how many tasks run at the same time, including itself.
///
/// Profile `default`: the largest number that runs at any instant of [start, end). Profile `author`: the number of tasks that
/// overlap it at all, but at most the number of processors. Ends are not part of a task: a task that ends when another starts
/// does not overlap it. The result is at least 1 (for tasks of length 0). Cost: O(n log n). Source: Perotin's thesis, section
/// 6.3.2.
[[nodiscard]] std::vector<std::uint32_t> concurrency(const Instance& instance,
                                                     const FailureFree& schedule);

/// Returns the length of the virtual schedule of Theorem 25, in seconds. Between two events of the failure-free schedule, all
/// running tasks are slowed down as much as the one that is slowed down most. A task of length 0, which the source does not
/// consider, gets a slice of its own in which all others stand still. No schedule that keeps the order takes longer. Cost:
/// O(n^2).
/// @param durations  [n] durations of the tasks, seconds
[[nodiscard]] double virtual_makespan(const Instance& instance, const FailureFree& schedule,
                                      std::span<const double> durations);

}  // namespace holdfast::workflow
