#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <string>

namespace holdfast {

/// Returns a campaign file of a domain to start from, with comments: the problem of the domain's example, swept over the first plain
/// number that the problem allows, and every other field, strategy and metric in a comment. It runs as it is.
/// @param examples  the folder that holds the example's files, as examples_directory() gives it
[[nodiscard]] std::string campaign_draft(const Domain& domain,
                                         const std::filesystem::path& examples);

}  // namespace holdfast
