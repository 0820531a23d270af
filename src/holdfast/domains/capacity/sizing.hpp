#pragma once

#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <span>

/// Machines that fit the jobs of a log, where the user does not say what there is.
namespace holdfast::capacity {

/// Cores of a machine: the fewest with which all but a twentieth of the work has room on one machine.
/// @pre jobs is not empty
[[nodiscard]] std::int64_t cores_for(std::span<const Job> jobs);

/// Machines of that many cores that the jobs released in [begin, end) would keep busy without a pause.
[[nodiscard]] double machines_for(std::span<const Job> jobs, std::int64_t cores, std::int64_t begin,
                                  std::int64_t end);

/// Returns how far a drawn capacity varies about that mean: a third of it, as in the source's experiments; at least 4, below
/// which a walk has no step; at most the mean.
[[nodiscard]] std::int64_t range_for(std::int64_t mean_machines);

}  // namespace holdfast::capacity
