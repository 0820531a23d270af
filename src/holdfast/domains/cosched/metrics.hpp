#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::cosched {

/// The metrics of one run. Times are in seconds.
struct Metrics {
  double makespan = 0;
  std::optional<double> lower_bound;          ///< seconds; no strategy ends earlier
  std::optional<double> expected_bound = {};  ///< seconds; no strategy has a smaller mean
  std::optional<double> bound_ratio = {};     ///< makespan divided by it
  std::optional<double> optimum;  ///< seconds; the earliest possible end, if it is known
  std::int64_t failures_handled = 0;
  /// Failures on idle processors, or on tasks that recover or move.
  std::int64_t failures_ignored = 0;
  std::int64_t redistributions = 0;  ///< decisions that changed an allocation
  /// Largest expected finish, and standard deviation of the allocations, each averaged over the events of the run (Figure 9
  /// shows one value after each event).
  double predicted_makespan = 0;
  double allocation_deviation = 0;
  /// Probability, to first order, that some failure was followed by one of its buddy processor before the recovery ended. The
  /// model neglects this.
  double double_failure_probability = 0;
};

[[nodiscard]] std::vector<Metric> metrics();
/// Returns the values in the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::cosched
