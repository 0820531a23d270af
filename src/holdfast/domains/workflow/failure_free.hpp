#pragma once

#include "holdfast/domains/workflow/instance.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::workflow {

/// The list schedule without failures and checkpoints, which every strategy keeps the order of.
struct FailureFree {
  std::vector<TaskIndex> order;  ///< tasks by start; equal starts as the scheduler started them
  std::vector<double> starts;    ///< [n] of each task, seconds
  std::vector<TaskIndex> completions;  ///< tasks by end
  double makespan = 0;                 ///< seconds
};

/// List scheduling: at time 0 and whenever tasks end, first all that ends at this time gives its
/// processors back, then ready tasks start in order of priority, each that fits; with
/// instance.strict none after the first that does not.
/// @param extra  seconds that every task lasts longer, for instance [n] checkpoints; or empty
/// Cost: O((n + e) log n). Source: Perotin's thesis, section 6.2.2; ties as said above.
[[nodiscard]] FailureFree failure_free_schedule(const Instance& instance,
                                                std::span<const double> extra = {});

/// Returns how many tasks run beside each task, itself included.
///
/// Profile `default`: the largest number that runs at any instant of [start, end). Profile
/// `author`: the number of tasks that overlap it at all, at most the machine's processors. Ends are
/// not part of a task: one that ends when another starts does not run beside it. At least 1 (tasks
/// of no length).
/// Cost: O(n log n). Source: Perotin's thesis, section 6.3.2.
[[nodiscard]] std::vector<std::uint32_t> concurrency(const Instance& instance,
                                                     const FailureFree& schedule);

/// Length of the virtual schedule of Theorem 25: between two events of the failure-free schedule all
/// is slowed down as much as the task of those that run which is slowed down most. A task of no
/// length, which the source does not know, has a slice of its own, in which all else stands still.
/// No schedule that keeps the order takes longer. Cost: O(n^2).
/// @param durations  [n] seconds that the tasks take
[[nodiscard]] double virtual_makespan(const Instance& instance, const FailureFree& schedule,
                                      std::span<const double> durations);

}  // namespace holdfast::workflow
