#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// The results of one run.
struct Metrics {
  double makespan = 0;          ///< seconds
  std::optional<double> ratio;  ///< makespan divided by the failure-free one; absent if that is 0
  std::int64_t failures = 0;
  /// Makespan divided by the failure-free one with a checkpoint after each task; absent if that is 0.
  std::optional<double> checkpointed_ratio;
  /// A lower bound on the expected makespan of every strategy, seconds.
  std::optional<double> expected_bound;
  std::optional<double> bound_ratio;  ///< makespan divided by that bound; absent if it is 0
};

[[nodiscard]] std::vector<Metric> metrics();
/// Returns the values in the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::workflow
