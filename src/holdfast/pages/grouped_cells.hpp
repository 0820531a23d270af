#pragma once

#include "holdfast/campaign/clustered_mean.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/pages/dimension.hpp"
#include "holdfast/report/chart/groups.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast {

/// The cells of a campaign in groups that agree in x, series and facet. Other swept parameters are pooled. Means are of all cells; for
/// quantiles and curves, of more than two million cells every second one is kept, every fourth one, ...
class GroupedCells {
 public:
  /// Makes the groups. The dimensions must outlive them; null: there is no such dimension.
  /// @param gains_in  not null: the values are ratios strategy / baseline of this metric, which are shown as gains in per cent and
  ///                  averaged by their logarithms
  GroupedCells(const Dimension* x, const Dimension& series, const Dimension* facet,
               const StoredMetric* gains_in = nullptr);

  /// Returns the group of one strategy's cells at a position.
  [[nodiscard]] std::size_t group_of(std::size_t position, std::size_t strategy) const;
  /// @param value  finite; a ratio is positive
  void add(std::size_t group, std::size_t draw, double value);

  /// Returns the statistics of the groups that have values, divided by `unit`.
  [[nodiscard]] std::vector<ChartGroup> statistics(double unit);
  /// Returns the dimension that separates distributions in addition to the series. It is the facet, or x if x is the strategy,
  /// because cells of different strategies are never pooled.
  [[nodiscard]] const Dimension* panels() const;
  /// Returns the distributions over panels and series, with at most `most` points each. The `facet` of a point is its panel.
  [[nodiscard]] std::vector<CurvePoint> curves(double unit, std::size_t most) const;
  /// Returns the largest centre.
  [[nodiscard]] double largest() const;

 private:
  struct Group {
    std::vector<double> values;
    std::uint64_t count = 0;
    ClusteredMean mean;
  };

  void keep_half();
  [[nodiscard]] double shown(double value) const;
  [[nodiscard]] double center_of(double mean) const;
  /// Returns the values in increasing order.
  [[nodiscard]] std::vector<double> values_of(std::size_t panel, std::size_t series) const;

  const Dimension* x_;
  const Dimension* series_;
  const Dimension* facet_;
  const StoredMetric* gains_in_;
  std::vector<Group> groups_;
  std::uint64_t kept_ = 0;
  std::uint64_t every_ = 1;
};

}  // namespace holdfast
