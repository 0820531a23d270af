#pragma once

#include "holdfast/algorithms/optimal_schedule.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/domains/moldable/list_run.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::moldable {

/// Returns OPT: the shortest schedule if all failures are known beforehand and the processors of every attempt can be chosen.
/// The search is exponential; the result is `infeasible` if it needs more than `most_steps`.
/// @pre the failures are those of the instance, or none
[[nodiscard]] Result<std::vector<Attempt>> optimum(const Instance& instance,
                                                   std::int64_t most_steps);

}  // namespace holdfast::moldable
