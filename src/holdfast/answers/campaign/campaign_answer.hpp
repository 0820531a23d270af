#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/contract/verb.hpp"

namespace holdfast {

/// Returns the answer of a campaign: the problem, the verdict, a row per point and strategy if there are few, and the gains by
/// each swept parameter and over all points. For programs it has all points as one document, or as one table.
[[nodiscard]] Result<Answer> campaign_answer(const Results& results, const Domain* domain,
                                             const WantedParts& wanted);

}  // namespace holdfast
