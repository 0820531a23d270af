#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"

#include <filesystem>
#include <span>

namespace holdfast {

/// Reads a campaign file in which `$HOLDFAST_DATA` stands for the folder of the real data.
/// @param data  that folder; empty if there is none, and then a file that names it is refused
[[nodiscard]] Result<Campaign> read_campaign_file(const std::filesystem::path& file,
                                                  std::span<const Domain* const> known,
                                                  const std::filesystem::path& data);

}  // namespace holdfast
