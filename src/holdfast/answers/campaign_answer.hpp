#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/answers/shown.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"

namespace holdfast {

/// Returns what a campaign found: which problem it was, the verdict, a row per point and strategy where they are few,
/// gains by each swept parameter and over everything; or all points as one document, or as one table for programs.
[[nodiscard]] Result<Shown> campaign_answer(const Results& results, const Domain* domain,
                                            AnswerFormat format);

}  // namespace holdfast
