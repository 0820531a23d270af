#pragma once

#include "holdfast/domains/cosched/expected_time.hpp"
#include "holdfast/domains/cosched/instance.hpp"

#include <optional>
#include <span>

namespace holdfast::cosched {

/// Returns a makespan in seconds that no strategy can beat, whatever fails. In a time T a task can do all of its work only if
/// its processor-seconds are at least a(T): the smallest area of a mixture of allocations that takes T or less, on the lower
/// convex hull of the points (t(j), j t(j)), j = 2, 4 ... p. Checkpoints, failures and moves only increase it. The bound is the
/// smallest T that is at least every task's shortest time and for which all a(T) together are at most p T. Returns nothing if
/// there are more than 4096 processors and a profile whose hull is not known in closed form. Cost: O(n p) for given profiles,
/// O(n) for each of 60 steps of a bisection.
/// @param times  task_times(instance)
[[nodiscard]] std::optional<double> lower_bound(const Instance& instance,
                                                std::span<const TaskTimes> times);

/// What is known about the best makespan.
struct MakespanBound {
  double seconds = 0;       ///< no strategy ends earlier
  bool is_optimum = false;  ///< true: some sequence of allocations reaches it
};

/// Returns the optimum if it can be found very quickly (no failures, few tasks and processors), otherwise lower_bound().
[[nodiscard]] std::optional<MakespanBound> best_known_bound(const Instance& instance,
                                                            std::span<const TaskTimes> times);

}  // namespace holdfast::cosched
