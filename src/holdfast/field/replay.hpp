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

/// What a strategy would have made of the same failures.
struct Replayed {
  std::string strategy;
  double makespan = 0;  ///< seconds, for the work that is safe now
  double failures = 0;  ///< it met
  /// It needs longer than the record: it meets no failure after that.
  bool outlives_record = false;
  /// Mean makespan of draws in which failures go on as they are to be expected after the record; absent where it ended within it.
  std::optional<double> continued = {};
  std::int64_t draws = 0;
};

/// The failures of a guarded job, met again by strategies.
struct Replay {
  double measured = 0;  ///< makespan of the job as it was, seconds
  std::int64_t failures = 0;
  std::vector<Replayed> strategies;  ///< first that of the guard; none where nothing can be said
};

/// What a guard was told.
struct GuardedJob {
  Value instance;                         ///< of costs and failures
  Value advice;                           ///< which strategy
  std::filesystem::path directory = ".";  ///< where the paths of the instance start
};

/// Runs the guard's strategy and the usual ones against the failures that the job met, with the checkpoints, recoveries and downtimes that it had
/// in the mean. Quick ends are left out: they say nothing about nodes. A failure of an unknown node is one of the likeliest.
/// There is nothing to run where no work is safe, or no checkpoint took a time that could be seen.
[[nodiscard]] Result<Replay> replay(const History& history, const GuardedJob& job);

}  // namespace holdfast::field
