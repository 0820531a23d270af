#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <span>

namespace holdfast::sketch {

/// What one run gave.
struct Metrics {
  double makespan = 0;        ///< seconds
  std::int64_t failures = 0;  ///< that cost a segment
};

/// The table of metrics, in the order of outcome().
[[nodiscard]] std::span<const Metric> metrics();
[[nodiscard]] Outcome outcome(const Metrics& metrics);
/// The other way round.
[[nodiscard]] Metrics metrics_of(const Outcome& outcome);

}  // namespace holdfast::sketch
