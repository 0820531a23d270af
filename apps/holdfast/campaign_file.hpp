#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"

#include <filesystem>
#include <span>

namespace holdfast::cli {

/// Reads a campaign file in which `$HOLDFAST_DATA` stands for the folder of the real data: the one that this variable
/// names, else `../shared/data` beside the source tree, where it exists.
[[nodiscard]] Result<Campaign> read_campaign_file(const std::filesystem::path& file,
                                                  std::span<const Domain* const> known);

}  // namespace holdfast::cli
