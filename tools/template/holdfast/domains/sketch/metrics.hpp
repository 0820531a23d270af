#pragma once

#include "holdfast/contract/metric_table.hpp"

namespace holdfast::sketch {

/// What one run gave.
struct Metrics {
  double makespan = 0;        ///< seconds
  std::int64_t failures = 0;  ///< that cost a segment
};

/// For values_of() and metrics_from().
[[nodiscard]] std::span<const MetricRow<Metrics>> metric_rows();
[[nodiscard]] std::vector<Metric> metrics();

}  // namespace holdfast::sketch
