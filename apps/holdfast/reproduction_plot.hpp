#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/reproduction/chart.hpp"
#include "holdfast/reproduction/item.hpp"

#include <filesystem>

namespace holdfast::cli {

class Console;

/// Draws the figure of an item: one picture DIRECTORY/ID-PANEL.svg for each panel, lines for the means, bands from the 10th
/// to the 90th percentile. @pre item.chart
[[nodiscard]] Status plot_item(const reproduction::Item& item, const reproduction::Figure& figure,
                               const std::filesystem::path& directory, bool force,
                               Console& console);

}  // namespace holdfast::cli
