#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/capacity/room.hpp"

#include <span>

namespace holdfast::capacity {

/// An independent check of a schedule: no machine above its cores, nothing on a machine that is off, no start before its
/// release, one run at a time per job and none after it completed, killed runs only where their machine went off, and
/// books that close: useful and aborted core-seconds and the number of jobs completed, running, waiting and dropped.
/// @param rank_of  machine -> risk rank (the machine is on while its rank is below the number alive)
[[nodiscard]] Status validate(const Instance& instance, std::span<const Task> tasks,
                              const Metrics& metrics, std::span<const Execution> log,
                              std::span<const std::int64_t> rank_of);

}  // namespace holdfast::capacity
