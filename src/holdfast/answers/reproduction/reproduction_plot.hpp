#pragma once

#include "holdfast/reproduction/chart.hpp"
#include "holdfast/reproduction/item.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// A picture and the name for its file.
struct NamedPicture {
  std::string file;  ///< name of the file
  std::string svg;   ///< contents of the file
};

/// Draws the figure of an item: one picture ID-PANEL.svg for each panel with points. Lines are the means, and bands reach from
/// the 10th to the 90th percentile. @pre item.chart
[[nodiscard]] std::vector<NamedPicture> pictures_of(const reproduction::Item& item,
                                                    const reproduction::Figure& figure);

}  // namespace holdfast
