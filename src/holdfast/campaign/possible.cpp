#include "holdfast/campaign/possible.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast {

std::optional<BoundPlace> bound_on(std::span<const StoredMetric> metrics, std::size_t metric,
                                   std::span<const std::size_t> bounds) {
  if (metrics[metric].better == Better::neither) return std::nullopt;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    if (metrics[m].bounds == metrics[metric].name) return BoundPlace{.metric = m};
  }
  if (metric > 0 || bounds.empty()) return std::nullopt;
  return BoundPlace{.metric = metric, .strategy = bounds.front()};
}

std::optional<double> part_reached(const PointCells& cells, std::size_t draw, std::size_t strategy,
                                   std::span<const StoredMetric> metrics, std::size_t metric,
                                   const BoundPlace& bound) {
  const auto value = cells.value(draw, strategy, metric);
  const auto best = cells.value(draw, bound.strategy.value_or(strategy), bound.metric);
  if (!value || !best) return std::nullopt;
  if (*value == *best) return 1;
  const double part = metrics[metric].better == Better::lower ? *best / *value : *value / *best;
  return std::isfinite(part) ? std::optional(part) : std::nullopt;
}

bool is_among(std::span<const std::size_t> bounds, std::size_t strategy) {
  return std::find(bounds.begin(), bounds.end(), strategy) != bounds.end();
}

}  // namespace holdfast
