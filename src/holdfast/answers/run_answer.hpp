#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/estimate.hpp"
#include "holdfast/contract/answer.hpp"

#include <filesystem>

namespace holdfast {

/// Returns what a run of the campaign would be, and what of it the directory holds already.
/// @param directory  of its results, where it would run; need not exist
[[nodiscard]] Result<Answer> estimate_answer(const Campaign& campaign, const RunEstimate& estimate,
                                             const std::filesystem::path& directory);

/// Returns how far a campaign is, whether somebody runs it now, and what of it waits in a queue.
/// @param directory  of its results
[[nodiscard]] Result<Answer> status_answer(const std::filesystem::path& directory);

}  // namespace holdfast
