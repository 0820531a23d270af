#pragma once

#include "holdfast/domains/cosched/expected_time.hpp"
#include "holdfast/domains/cosched/instance.hpp"

#include <optional>
#include <span>

namespace holdfast::cosched {

/// Returns a makespan that no strategy falls below, whatever fails, seconds. In a time T a task does all of its work only if its
/// processors times the time that it has them are at least a(T): the least area of a mixture of allocations that takes T
/// or less, on the lower convex hull of the points (t(j), j t(j)), j = 2, 4 ... p. Checkpoints, failures and moves only add to
/// that. The bound is the least T that is not below any task's shortest time and for which all a(T) together are at most p T.
/// Nothing if there are more than 4096 processors and a profile of which the hull is not known in closed form.
/// Cost: O(n p) for given profiles, O(n) for each of 60 steps of a bisection.
/// @param times  task_times(instance)
[[nodiscard]] std::optional<double> lower_bound(const Instance& instance,
                                                std::span<const TaskTimes> times);

/// What is known of the best makespan, seconds.
struct MakespanBound {
  double seconds = 0;       ///< no strategy ends earlier
  bool is_optimum = false;  ///< some sequence of allocations ends then
};

/// The optimum where it is found in a blink (no failures, few tasks and processors), else lower_bound().
[[nodiscard]] std::optional<MakespanBound> best_known_bound(const Instance& instance,
                                                            std::span<const TaskTimes> times);

}  // namespace holdfast::cosched
