#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/contract/decision.hpp"

#include <filesystem>
#include <span>
#include <string_view>

/// Readers of campaigns whose strategies name rules of this program: "custom:NAME". Such campaigns run only in this process.
namespace holdfast {

[[nodiscard]] Result<Campaign> read_campaign(const std::filesystem::path& file,
                                             std::span<const OwnRule> rules,
                                             std::span<const Domain* const> known = domains());

/// @param file, directory  as in parse_campaign() without rules
[[nodiscard]] Result<Campaign> parse_campaign(std::string_view text, std::string_view file,
                                              const std::filesystem::path& directory,
                                              std::span<const OwnRule> rules,
                                              std::span<const Domain* const> known = domains());

}  // namespace holdfast
