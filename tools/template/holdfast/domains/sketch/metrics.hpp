#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::sketch {

/// What one run gave.
struct Metrics {
  double makespan = 0;        ///< seconds
  std::int64_t failures = 0;  ///< that cost a segment
};

[[nodiscard]] std::vector<Metric> metrics();
/// In the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);
/// The other way round.
[[nodiscard]] Metrics metrics_of(const Outcome& outcome);

}  // namespace holdfast::sketch
