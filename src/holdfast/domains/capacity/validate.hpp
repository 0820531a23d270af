#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/capacity/cluster_state.hpp"

#include <span>

namespace holdfast::capacity {

/// Checks a schedule independently: no machine exceeds its cores, nothing runs on a machine that is off, no job starts before
/// its release, each job has one run at a time and none after it has completed, runs are killed only when their machine goes
/// off, and the accounts balance: useful and aborted core-seconds, and the numbers of completed, running, waiting and dropped
/// jobs.
/// @param rank_of  machine -> risk rank (the machine is on while its rank is below the number alive)
[[nodiscard]] Status validate(const Instance& instance, std::span<const Task> tasks,
                              const Metrics& metrics, std::span<const Execution> log,
                              std::span<const std::int64_t> rank_of);

}  // namespace holdfast::capacity
