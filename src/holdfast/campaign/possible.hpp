#pragma once

#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/results.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// How much of what is possible a run reached: its metric beside a bound that no strategy can pass on the same draw.
namespace holdfast {

/// Where the bound on a metric stands.
struct BoundPlace {
  std::size_t metric = 0;
  std::optional<std::size_t> strategy = {};  ///< whose run says it; nothing: each run says its own
};

/// Returns the bound on a metric: the metric that bounds it; else, of the first metric, what the first strategy that is a bound
/// did. Nothing if there is neither, or the metric has no better direction.
/// @param bounds  positions of the strategies that are bounds
[[nodiscard]] std::optional<BoundPlace> bound_on(std::span<const StoredMetric> metrics,
                                                 std::size_t metric,
                                                 std::span<const std::size_t> bounds);

/// Returns the part of what is possible that a run reached: bound / value where lower is better, value / bound where higher is, 1
/// where they are equal. Nothing if one of them is missing, or there is no such ratio.
[[nodiscard]] std::optional<double> part_reached(const PointCells& cells, std::size_t draw,
                                                 std::size_t strategy,
                                                 std::span<const StoredMetric> metrics,
                                                 std::size_t metric, const BoundPlace& bound);

/// Returns true if a strategy is one of the bounds.
[[nodiscard]] bool is_among(std::span<const std::size_t> bounds, std::size_t strategy);

}  // namespace holdfast
