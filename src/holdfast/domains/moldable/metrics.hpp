#pragma once

#include "holdfast/contract/domain.hpp"

#include <optional>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// The metrics of one run. A metric without a value is absent.
struct Metrics {
  double makespan = 0;         ///< seconds
  double lower_bound = 0;      ///< L'(f) for the failures that occurred, seconds
  double ratio = 0;            ///< makespan / lower_bound
  std::optional<int> batches;  ///< number of batches, for strategies that work in batches
  /// The proven upper bound on the makespan in seconds, known after the run: Lemma 1, or Theorem 8 for batches.
  double guarantee = 0;
};

[[nodiscard]] std::vector<Metric> metrics();
/// Returns the values in the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::moldable
