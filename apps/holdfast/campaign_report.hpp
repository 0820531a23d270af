#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/format_option.hpp"

namespace holdfast::cli {

class Console;

/// Prints what a campaign found: which problem it was, the verdict, a row per point and strategy where they are few,
/// gains by each swept parameter and over everything; or all points as one document, or as one table for programs.
[[nodiscard]] Status print_campaign(const Results& results, const Domain* domain,
                                    AnswerFormat format, Console& console);

}  // namespace holdfast::cli
