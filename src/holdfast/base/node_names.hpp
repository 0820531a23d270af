#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Names of the nodes of a cluster, as people and Slurm write them.
namespace holdfast {

/// Returns the names in a node list of Slurm: "n[001-003,7],gpu[1-2]x". At most 100 000 names. Errors have no place.
[[nodiscard]] Result<std::vector<std::string>> expand_nodes(std::string_view list);

/// Returns the number of a node among those of a job: by its whole name, otherwise by the part before the first dot.
[[nodiscard]] std::optional<std::size_t> node_number(std::span<const std::string> names,
                                                     std::string_view name);

}  // namespace holdfast
