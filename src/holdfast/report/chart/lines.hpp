#pragma once

#include "holdfast/contract/chart.hpp"

#include <string>

namespace holdfast {

/// Returns the chart as a separate picture, 720 pixels wide and legible on a phone, in colours that colour-blind readers can
/// distinguish. The legend stands above the lines and never covers them.
/// @pre at least one point is finite (and positive on logarithmic axes)
[[nodiscard]] std::string to_svg(const LineChart& chart);

}  // namespace holdfast
