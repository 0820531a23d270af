#pragma once

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/answers/format.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"

namespace holdfast {

/// Returns the answer of a campaign: the problem, the verdict, a row per point and strategy if there are few, and the gains by
/// each swept parameter and over all points. Depending on the format, it instead returns all points as one document or as one
/// table for programs.
[[nodiscard]] Result<Answer> campaign_answer(const Results& results, const Domain* domain,
                                             AnswerFormat format);

}  // namespace holdfast
