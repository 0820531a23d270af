#pragma once

#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/results.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// How close a run came to the best possible value: its metric compared with a bound that no strategy can exceed on the same
/// draw.
namespace holdfast {

/// Where to find the bound on a metric.
struct BoundPlace {
  std::size_t metric = 0;
  /// The strategy whose run provides the bound; nothing if each run provides its own.
  std::optional<std::size_t> strategy = {};
};

/// Returns where the bound on a metric is: in the metric that bounds it or, for the first metric, in the first strategy that is
/// a bound. Returns nothing if there is neither, or if neither direction of the metric is better.
/// @param bounds  positions of the strategies that are bounds
[[nodiscard]] std::optional<BoundPlace> bound_on(std::span<const StoredMetric> metrics,
                                                 std::size_t metric,
                                                 std::span<const std::size_t> bounds);

/// Returns the share of the best possible value that a run reached: bound / value if lower is better, value / bound if higher
/// is better, and 1 if they are equal. Returns nothing if one of them is missing, or if there is no such ratio.
[[nodiscard]] std::optional<double> part_reached(const PointCells& cells, std::size_t draw,
                                                 std::size_t strategy,
                                                 std::span<const StoredMetric> metrics,
                                                 std::size_t metric, const BoundPlace& bound);

/// Returns true if a strategy is one of the bounds.
[[nodiscard]] bool is_among(std::span<const std::size_t> bounds, std::size_t strategy);

}  // namespace holdfast
