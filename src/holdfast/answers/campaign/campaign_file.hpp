#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"

#include <filesystem>
#include <span>

namespace holdfast {

/// Reads a campaign file in which `$HOLDFAST_DATA` means the folder of the real data.
/// @param data  that folder; if empty, a file that uses `$HOLDFAST_DATA` is refused
[[nodiscard]] Result<Campaign> read_campaign_file(const std::filesystem::path& file,
                                                  std::span<const Domain* const> known,
                                                  const std::filesystem::path& data);

}  // namespace holdfast
