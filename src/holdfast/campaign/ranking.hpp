#pragma once

#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// One strategy's values of one metric, at one point or at many.
struct Score {
  std::uint64_t given_up = 0;
  Moments values;
  GeometricMoments logarithms;  ///< moments of their logarithms

  void add(double value);
};

/// Returns the positions of the strategies, best first. They are ordered by the number of runs given up, then by the geometric
/// mean (by the mean, if a strategy has a value of 0 or less), then by their order in the list. The geometric mean gives the
/// same order as paired ratios. If neither direction of the metric is better, the order does not change.
[[nodiscard]] std::vector<std::size_t> best_first(std::span<const Score> scores, Better better);

/// The ranking of the strategies at one point in one metric.
struct Ranking {
  std::size_t metric = 0;
  std::vector<std::size_t> order;  ///< best_first() for the runs at the point, without bounds
  /// Best / other, from the second strategy on; count 0: no pair.
  std::vector<Comparison> beside_best;
  std::vector<std::size_t> bounds = {};  ///< strategies that are bounds on the others

  /// Returns the rows of a table: the ranked strategies, then the bounds.
  [[nodiscard]] std::vector<std::size_t> rows() const;
};

/// Ranks the strategies at a point in one metric.
/// @param metric  position among the metrics
/// @param bounds  strategies that are not ranked; at least one strategy is not a bound
[[nodiscard]] Ranking rank(const PointCells& cells, std::span<const StoredMetric> metrics,
                           std::size_t metric, std::span<const std::size_t> bounds = {});

}  // namespace holdfast
