#pragma once

#include "holdfast/contract/domain.hpp"

#include <optional>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// The metrics of one run; a metric that does not exist is absent.
struct Metrics {
  double makespan = 0;         ///< seconds
  double lower_bound = 0;      ///< L'(f) for the failures that were met, seconds
  double ratio = 0;            ///< makespan / lower_bound
  std::optional<int> batches;  ///< batches of strategies that work in batches
  /// What the makespan was proven not to exceed, known after the fact, seconds: Lemma 1, or Theorem
  /// 8 for batches.
  double guarantee = 0;
};

[[nodiscard]] std::vector<Metric> metrics();
/// Returns the values in the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::moldable
