#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"

namespace holdfast::cli {

class Console;

/// Prints what a campaign found: a row per point and strategy where they are few, paired ratios by each swept
/// parameter and over everything; or all points as one document.
[[nodiscard]] Status print_campaign(const Results& results, bool json, Console& console);

}  // namespace holdfast::cli
