#pragma once

#include "holdfast/contract/domain.hpp"

#include <optional>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// What one run gave; absent if it does not exist.
struct Metrics {
  double makespan = 0;         ///< seconds
  double lower_bound = 0;      ///< L'(f) for the failures that were met, seconds
  double ratio = 0;            ///< makespan / lower_bound
  std::optional<int> batches;  ///< of strategies that work in batches
  /// What the makespan was proven not to exceed, known after the fact, seconds: Lemma 1, or Theorem
  /// 8 for batches.
  double guarantee = 0;
};

[[nodiscard]] std::vector<Metric> metrics();
/// In the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::moldable
