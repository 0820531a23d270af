#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <span>

namespace holdfast::checkpoint {

/// What one run gave.
struct Metrics {
  double makespan = 0;  ///< seconds; of a run that met the horizon: until the horizon
  std::int64_t failures =
      0;  ///< interruptions: failures that struck work, a checkpoint or a recovery
  std::int64_t checkpoints = 0;  ///< that were completed
  double efficiency = 0;         ///< work saved / makespan
  bool completed = true;         ///< false: the horizon came first, or the run was given up
  bool given_up = false;         ///< it would not have ended: no result
};

/// The table of metrics, in the order of outcome().
[[nodiscard]] std::vector<Metric> metrics();
[[nodiscard]] Outcome outcome(const Metrics& metrics);
/// The other way round.
[[nodiscard]] Metrics metrics_of(const Outcome& outcome);

}  // namespace holdfast::checkpoint
