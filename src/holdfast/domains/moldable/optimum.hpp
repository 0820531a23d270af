#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/moldable/list_run.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::moldable {

/// Returns the shortest schedule by someone who knows all failures beforehand and may choose the processors
/// of every attempt: OPT. Exponential; `infeasible` where the search is larger than `most_nodes`.
/// @pre the failures are those of the instance, or none
[[nodiscard]] Result<std::vector<Attempt>> optimum(const Instance& instance,
                                                   std::int64_t most_nodes);

}  // namespace holdfast::moldable
