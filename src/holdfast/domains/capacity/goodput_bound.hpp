#pragma once

#include "holdfast/domains/capacity/workload.hpp"

#include <cstdint>
#include <span>

namespace holdfast::capacity {

/// Returns a number of core-seconds of useful work (`Metrics::useful`) that no schedule can exceed. For any date s, the work
/// done before s is at most the work of the jobs that have arrived by then, and the work done from s on is at most the capacity
/// of the machines alive. A job's work counts as far as it fits between its arrival and the end of the window. The smallest of
/// these sums over all s is returned: the whole capacity under high load, the whole work under low load, and less than either
/// if jobs arrive late. It ignores that jobs are rigid and that machines go off. Cost: O(jobs + steps).
/// @param tasks  tasks_of(instance)
[[nodiscard]] std::int64_t useful_bound(const Instance& instance, std::span<const Task> tasks);

}  // namespace holdfast::capacity
