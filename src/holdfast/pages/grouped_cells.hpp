#pragma once

#include "holdfast/campaign/clustered_mean.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/pages/dimension.hpp"
#include "holdfast/report/group_chart.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast {

/// The cells of a campaign in groups that agree in x, series and facet; the rest of the sweep is taken together.
class GroupedCells {
 public:
  /// The dimensions must outlive the groups; null: there is none.
  GroupedCells(const Dimension* x, const Dimension& series, const Dimension* facet);

  /// Returns the group of a position's cells of one strategy.
  [[nodiscard]] std::size_t group_of(std::size_t position, std::size_t strategy) const;
  /// @param value    finite
  /// @param is_ratio  its logarithm is averaged; @pre then positive
  void add(std::size_t group, std::size_t draw, double value, bool is_ratio);

  /// Statistics of the groups that have values, which are divided by `unit`.
  [[nodiscard]] std::vector<ChartGroup> statistics(bool is_ratio, double unit);
  /// Returns what separates distributions besides the series: the facet, but x where it is the strategy, as cells of different
  /// strategies are never taken together.
  [[nodiscard]] const Dimension* panels() const;
  /// Distributions over panels and series, at most `most` points each; `facet` of a point is its panel.
  [[nodiscard]] std::vector<CurvePoint> curves(double unit, std::size_t most) const;
  /// Returns the largest centre.
  [[nodiscard]] double largest(bool is_ratio) const;
  [[nodiscard]] double smallest_value() const;

 private:
  struct Group {
    std::vector<double> values;
    ClusteredMean mean;
  };

  /// In order.
  [[nodiscard]] std::vector<double> values_of(std::size_t panel, std::size_t series) const;

  const Dimension* x_;
  const Dimension* series_;
  const Dimension* facet_;
  std::vector<Group> groups_;
};

}  // namespace holdfast
