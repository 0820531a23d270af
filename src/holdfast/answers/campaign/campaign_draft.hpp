#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <string>

namespace holdfast {

/// Returns a commented campaign file of a domain as a starting point. It has the problem of the domain's example, swept over
/// the first plain number for which that is possible, and every other field, strategy and metric in a comment. It runs without
/// changes.
/// @param examples  the folder with the example's files, from examples_directory()
[[nodiscard]] std::string campaign_draft(const Domain& domain,
                                         const std::filesystem::path& examples);

}  // namespace holdfast
