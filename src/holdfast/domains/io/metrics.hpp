#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::io {

/// What a window gave. Yields are progress over age at its end. Source: thesis, section 7.3, equations 7.6 to 7.11.
struct Metrics {
  double minimum_yield = 0;
  double efficiency = 0;   ///< progress inside the window over its length, weighted by nodes
  double utilization = 0;  ///< work inside the window over its length, weighted by nodes
  double pressure = 0;     ///< what all would move alone, over what the file system can
  double bandwidth_efficiency = 0;  ///< efficiency weighted by bandwidths in place of nodes
  double idle_bandwidth = 0;        ///< share of the bandwidth that nobody used
  std::int64_t decisions = 0;
  std::int64_t preemptions = 0;  ///< operations paused before their end
  std::optional<double> period;  ///< of periodic-greedy-yield, seconds
};

[[nodiscard]] std::span<const Metric> metrics();
/// In the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::io
