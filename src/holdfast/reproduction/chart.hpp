#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/reproduction/item.hpp"

#include <span>
#include <string>
#include <vector>

namespace holdfast::reproduction {

/// One line of a figure: a metric against the parameter on the x axis.
struct Curve {
  std::string strategy;  ///< name of a strategy, or of one of the metrics in Chart::beside
  /// True if it is such a metric; then only the means are drawn, without a band.
  bool is_beside = false;
  std::vector<double> x = {};     ///< values on the x axis for which there are results
  std::vector<double> mean = {};  ///< one per x
  std::vector<double> p10 = {};
  std::vector<double> p90 = {};
};

/// One of the pictures in a figure.
struct Panel {
  std::string title;  ///< the values that define it: "weibull 0.5, checkpoint 600s"
  std::vector<Curve> curves = {};
};

struct Figure {
  std::string x_title;      ///< the parameter, or the part of it that is swept
  std::string x_unit = {};  ///< "s" for durations, the common unit of other quantities ("GB/s")
  std::string y_unit = {};  ///< unit of the metric
  std::vector<Panel> panels = {};
};

/// Reads the table [chart] of item.toml.
[[nodiscard]] Result<Chart> read_chart(const Value& table, const std::string& where);

/// Measures the numbers in the item's chart: one panel for each combination of the values of its `panels`, in the order of the
/// campaign. @pre item.chart
[[nodiscard]] Result<Figure> draw(const Item& item, const Results& results,
                                  std::span<const Domain* const> known = domains());

}  // namespace holdfast::reproduction
