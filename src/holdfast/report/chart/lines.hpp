#pragma once

#include "holdfast/contract/chart.hpp"
#include "holdfast/report/page.hpp"

#include <string>

namespace holdfast {

/// Returns the chart as SVG in colours that colour-blind readers can distinguish: by default as a separate picture, 720 pixels wide
/// and legible on a phone. The legend stands above the lines and never covers them.
/// @pre at least one point is finite (and positive on logarithmic axes)
[[nodiscard]] std::string to_svg(const LineChart& chart, const ChartPaper& paper = {});

/// Returns the chart for a page, which shows the title and the caption itself, with its points as data.
/// @pre as above
[[nodiscard]] PageChart page_chart(std::string id, std::string title, std::string caption,
                                   LineChart chart);

}  // namespace holdfast
