#pragma once

#include "holdfast/report/page.hpp"
#include "holdfast/reproduction/chart.hpp"
#include "holdfast/reproduction/item.hpp"

#include <optional>
#include <span>
#include <string>

namespace holdfast {

/// Draws panels of an item's figure with the numbers measured now: lines of means, and bands from the 10th to the 90th percentile.
/// Nothing if they have no points. @pre item.chart if there are panels
[[nodiscard]] std::optional<PageChart> figure_chart(const std::string& title,
                                                    const reproduction::Item& item,
                                                    std::span<const reproduction::Panel> panels,
                                                    const reproduction::Figure& figure);

}  // namespace holdfast
