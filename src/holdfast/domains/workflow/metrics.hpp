#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// What one run gave.
struct Metrics {
  double makespan = 0;  ///< seconds
  double ratio = 1;     ///< makespan over the failure-free one
  std::int64_t failures = 0;
  double checkpointed_ratio = 1;  ///< makespan over the failure-free one with a checkpoint per task
};

[[nodiscard]] std::span<const Metric> metric_table();
/// In the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::workflow
