#pragma once

#include "holdfast/domains/cosched/expected_time.hpp"
#include "holdfast/domains/cosched/instance.hpp"

#include <optional>
#include <span>

namespace holdfast::cosched {

/// Returns a makespan in seconds that no strategy can beat, whatever fails: the smallest T that is at least every task's shortest
/// time and in which the least areas of all tasks together (least_area.hpp) are at most p T. Returns nothing if there are more than
/// 4096 processors and a profile whose hull is not known in closed form. Cost: O(n p log p) for given profiles, O(n) for each of 60
/// steps of a bisection.
/// @param times  task_times(instance)
[[nodiscard]] std::optional<double> lower_bound(const Instance& instance,
                                                std::span<const TaskTimes> times);

/// Returns a makespan in seconds below which no strategy has its mean if it does not know what will fail. It bounds means: a single
/// run may be shorter. The mean of the areas b(T) that the tasks need to end by the makespan T is at most p times the mean of T, so
/// the mean of T is at least the smallest time at which the convex hull of b is at most p times it. Returns nothing without
/// failures, or if they are given. Cost: O(256 n).
[[nodiscard]] std::optional<double> expected_bound(const Instance& instance,
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
