#pragma once

#include "holdfast/campaign/clustered_mean.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/pages/dimension.hpp"
#include "holdfast/report/chart/groups.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast {

/// The cells of a campaign in groups that agree in x, series and facet. Other swept parameters are pooled.
class GroupedCells {
 public:
  /// Makes the groups. The dimensions must outlive them; null: there is no such dimension.
  GroupedCells(const Dimension* x, const Dimension& series, const Dimension* facet);

  /// Returns the group of one strategy's cells at a position.
  [[nodiscard]] std::size_t group_of(std::size_t position, std::size_t strategy) const;
  /// @param value    finite
  /// @param is_ratio  true: the logarithm of the value is averaged; @pre the value is then positive
  void add(std::size_t group, std::size_t draw, double value, bool is_ratio);

  /// Returns the statistics of the groups that have values, divided by `unit`.
  [[nodiscard]] std::vector<ChartGroup> statistics(bool is_ratio, double unit);
  /// Returns the dimension that separates distributions in addition to the series. It is the facet, or x if x is the strategy,
  /// because cells of different strategies are never pooled.
  [[nodiscard]] const Dimension* panels() const;
  /// Returns the distributions over panels and series, with at most `most` points each. The `facet` of a point is its panel.
  [[nodiscard]] std::vector<CurvePoint> curves(double unit, std::size_t most) const;
  /// Returns the largest centre.
  [[nodiscard]] double largest(bool is_ratio) const;

 private:
  struct Group {
    std::vector<double> values;
    ClusteredMean mean;
  };

  /// Returns the values in increasing order.
  [[nodiscard]] std::vector<double> values_of(std::size_t panel, std::size_t series) const;

  const Dimension* x_;
  const Dimension* series_;
  const Dimension* facet_;
  std::vector<Group> groups_;
};

}  // namespace holdfast
