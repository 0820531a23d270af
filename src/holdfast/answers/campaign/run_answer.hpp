#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/estimate.hpp"
#include "holdfast/contract/answer.hpp"

#include <filesystem>

namespace holdfast {

/// Returns the estimate for a run of the campaign, and how much of it the directory already holds.
/// @param directory  the directory of its results, which need not exist
[[nodiscard]] Result<Answer> estimate_answer(const Campaign& campaign, const RunEstimate& estimate,
                                             const std::filesystem::path& directory);

/// Returns how much of a campaign is done, whether a process is running it now, and how much of it waits in a queue.
/// @param directory  the directory of its results
[[nodiscard]] Result<Answer> status_answer(const std::filesystem::path& directory);

}  // namespace holdfast
