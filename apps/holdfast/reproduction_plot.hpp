#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/verbs.hpp"

#include <filesystem>

namespace holdfast::cli {

/// Draws the chart of an item: one picture DIRECTORY/ID-PANEL.svg for each panel, lines for the means, bands from the 10th
/// to the 90th percentile. @pre item.chart
[[nodiscard]] Status plot_item(const reproduction::Item& item, const Results& results,
                               Domains domains, const std::filesystem::path& directory, bool force);

}  // namespace holdfast::cli
