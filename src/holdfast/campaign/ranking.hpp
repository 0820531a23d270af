#pragma once

#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// One strategy's runs in one metric, at one point or at many.
struct Score {
  std::uint64_t given_up = 0;
  Moments values;
  GeometricMoments logarithms;  ///< their logarithms

  void add(double value);
};

/// Returns the positions of the strategies, the best one first: who gave up fewer runs; then who has the better geometric mean, so
/// that the order is that of paired ratios (where somebody has a value of 0 or less, the better mean); then who was
/// named first. A metric without a better direction leaves the order as it is.
[[nodiscard]] std::vector<std::size_t> best_first(std::span<const Score> scores, Better better);

/// The strategies of one point in one metric.
struct Ranking {
  std::size_t metric = 0;
  std::vector<std::size_t> order;        ///< best_first() of the runs at the point, without bounds
  std::vector<Comparison> beside_best;   ///< best / other, from the second on; count 0: no pair
  std::vector<std::size_t> bounds = {};  ///< strategies that no strategy can be better than

  /// Returns the rows of a table: the ranked ones, then the bounds.
  [[nodiscard]] std::vector<std::size_t> rows() const;
};

/// @param metric  position among the metrics
/// @param bounds  strategies that are not ranked; not all
[[nodiscard]] Ranking rank(const PointCells& cells, std::span<const StoredMetric> metrics,
                           std::size_t metric, std::span<const std::size_t> bounds = {});

}  // namespace holdfast
