#pragma once

#include "holdfast/report/page.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <span>
#include <string>

namespace holdfast {

/// Published beside measured: for each item a chart, a row per number and statement with its verdict, and what is known
/// not to be reproduced, and why.
/// @param scale  of the campaigns
[[nodiscard]] Page reproduction_page(std::span<const reproduction::Reproduced> items, double scale,
                                     const std::string& command);

}  // namespace holdfast
