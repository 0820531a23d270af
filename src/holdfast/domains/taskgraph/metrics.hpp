#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace holdfast::taskgraph {

/// The results of one run.
struct Metrics {
  double makespan = 0;          ///< seconds
  double lower_bound = 0;       ///< seconds; includes the attempts that this run needed
  std::optional<double> ratio;  ///< makespan / lower_bound; absent if the bound is 0
  /// Busy processor-seconds divided by processors times makespan; absent if that is 0.
  std::optional<double> utilization;
  std::int64_t attempts = 0;  ///< executions, including failed ones
};

[[nodiscard]] std::vector<Metric> metrics();
/// Returns the values in the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::taskgraph
