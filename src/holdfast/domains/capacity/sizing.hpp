#pragma once

#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <span>

/// Sizes of machines that suit the jobs of a log, for users who do not give them.
namespace holdfast::capacity {

/// Returns the cores of a machine: the smallest number for which jobs with 95 % of the work fit on one machine.
/// @pre jobs is not empty
[[nodiscard]] std::int64_t cores_for(std::span<const Job> jobs);

/// Returns the number of machines with that many cores that the jobs released in [begin, end) would keep busy all the time.
[[nodiscard]] double machines_for(std::span<const Job> jobs, std::int64_t cores, std::int64_t begin,
                                  std::int64_t end);

/// Returns how far a drawn capacity varies around its mean: by a third of it, as in the source's experiments; by at least 4,
/// because a smaller range has no steps; at most by the mean.
[[nodiscard]] std::int64_t range_for(std::int64_t mean_machines);

/// Returns the same for the walk that goes up to all of these machines: by default a quarter of them, at least 4, at most half.
[[nodiscard]] std::int64_t sized_range_for(std::int64_t machines);

}  // namespace holdfast::capacity
