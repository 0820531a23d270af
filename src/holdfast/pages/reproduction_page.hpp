#pragma once

#include "holdfast/report/page.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <span>
#include <string>

namespace holdfast {

/// Returns a page that compares published with measured numbers. Each item has a chart, a row per number and statement with its
/// verdict, and the known deviations with their reasons.
/// @param scale  scale of the campaigns
[[nodiscard]] Page reproduction_page(std::span<const reproduction::Reproduced> items, double scale,
                                     const std::string& command);

}  // namespace holdfast
