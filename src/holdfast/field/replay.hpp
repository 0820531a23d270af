#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/field/history.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::field {

/// The result of a strategy for the same failures.
struct Replayed {
  std::string strategy;
  double makespan = 0;  ///< seconds, for the work that is saved now
  double failures = 0;  ///< failures that it met
  /// True if it needs longer than the record. It then meets no failures after the end of the record.
  bool outlives_record = false;
  /// Mean makespan if failures continue after the record as expected; absent if the run ended within the record.
  std::optional<double> continued = {};
  std::int64_t draws = 0;
};

/// The failures of a guarded job, replayed with several strategies.
struct Replay {
  double measured = 0;  ///< measured makespan of the job, or of its replayed part, seconds
  std::int64_t failures = 0;
  /// Number of the checkpoint until which a job with more of them is replayed; 0: all of it.
  std::int64_t checkpoints = 0;
  /// The strategy of the guard first; empty if nothing can be computed.
  std::vector<Replayed> strategies;
};

/// The input of a guard.
struct GuardedJob {
  Value instance;                         ///< costs and failures
  Value advice;                           ///< options for the strategy
  std::filesystem::path directory = ".";  ///< folder to which the paths of the instance refer
};

/// Runs the guard's strategy and the usual ones against the failures of the job, with its mean times of checkpoints, recoveries
/// and downtimes. Quick ends are left out, because they are no evidence about nodes. A failure of an unknown node is assigned
/// to one of the most likely nodes. Of a job with many checkpoints, the first kSample stand for all of them. Nothing is run if
/// no work is saved, or if no time of a checkpoint was measured.
[[nodiscard]] Result<Replay> replay(const History& history, const GuardedJob& job);

}  // namespace holdfast::field
