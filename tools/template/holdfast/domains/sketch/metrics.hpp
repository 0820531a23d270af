#pragma once

#include "holdfast/contract/metric_table.hpp"

namespace holdfast::sketch {

/// The results of one run.
struct Metrics {
  double makespan = 0;        ///< seconds
  std::int64_t failures = 0;  ///< failures that cost a segment
};

/// Returns the rows of the table, for values_of() and metrics_from().
[[nodiscard]] std::span<const MetricRow<Metrics>> metric_rows();
/// Returns the table of the metrics.
[[nodiscard]] std::vector<Metric> metrics();

}  // namespace holdfast::sketch
