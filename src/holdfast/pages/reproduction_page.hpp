#pragma once

#include "holdfast/report/page.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"

#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// A published table or figure with what was measured for it.
struct ReproducedItem {
  reproduction::Item item;
  std::vector<reproduction::Measured> measured;  ///< one per row
};

/// Published beside measured: for each item a chart, a row per number and statement with its verdict, and what is known
/// not to be reproduced, and why.
/// @param scale  of the campaigns
[[nodiscard]] Page reproduction_page(std::span<const ReproducedItem> items, double scale,
                                     const std::string& command);

}  // namespace holdfast
