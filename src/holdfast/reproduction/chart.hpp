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
  std::string strategy;           ///< or the name of a metric beside them
  bool is_beside = false;         ///< such a metric: the means count, its band says nothing
  std::vector<double> x = {};     ///< as far as there are results
  std::vector<double> mean = {};  ///< as many
  std::vector<double> p10 = {};
  std::vector<double> p90 = {};
};

/// One of the pictures that a figure consists of.
struct Panel {
  std::string title;  ///< the values that make it: "weibull 0.5, checkpoint 600s"
  std::vector<Curve> curves = {};
};

struct Figure {
  std::string x_title;      ///< the parameter, or the part of it that is swept
  std::string x_unit = {};  ///< "s" of durations, the common one of other quantities ("GB/s")
  std::string y_unit = {};  ///< y unit of the metric
  std::vector<Panel> panels = {};
};

/// Reads the table [chart] of item.toml.
[[nodiscard]] Result<Chart> read_chart(const Value& table, const std::string& where);

/// Measures what the item's chart draws: one panel for each combination of the values of its `panels`, in the order of
/// the campaign. @pre item.chart
[[nodiscard]] Result<Figure> draw(const Item& item, const Results& results,
                                  std::span<const Domain* const> known = domains());

}  // namespace holdfast::reproduction
