#pragma once

#include "holdfast/domains/capacity/workload.hpp"

#include <cstdint>
#include <span>

namespace holdfast::capacity {

/// Core-seconds of useful work that no schedule exceeds, in `Metrics::useful`. Before any date s no more can be done than
/// the work of the jobs that have arrived by then, and from s on no more than the machines that are alive have; work counts
/// as far as it has room between a job's arrival and the window's end. The least of these sums over all s is returned: the whole
/// capacity under high load, the whole work under low load, and less than either where jobs come late. It does not
/// see that jobs are rigid or that a machine goes off. Cost: O(jobs + steps).
/// @param tasks  tasks_of(instance)
[[nodiscard]] std::int64_t useful_bound(const Instance& instance, std::span<const Task> tasks);

}  // namespace holdfast::capacity
