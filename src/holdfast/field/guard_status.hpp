#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/field/guard_report.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/replay.hpp"

#include <filesystem>
#include <vector>

namespace holdfast::field {

/// The contents of a guard's directory, and whether a guard is running there.
struct GuardStatus {
  History history;
  Value instance;  ///< costs and failures that were given to the guard
  Value advice;    ///< options for its strategy
  bool is_guarded = false;
  double time = 0;  ///< current time, seconds since 1970
};

/// Returns true if a directory belongs to a guard.
[[nodiscard]] bool holds_guard(const std::filesystem::path& directory);
/// Returns the results of other strategies for the same failures, if they can be computed.
[[nodiscard]] Result<Replay> replay_of(const GuardStatus& status);
/// Returns the report of the job that was or is guarded in a directory.
[[nodiscard]] Result<Answer> guard_report(const std::filesystem::path& directory);
/// Reads a guard's directory, even while a guard writes to it.
[[nodiscard]] Result<GuardStatus> read_guard_status(const std::filesystem::path& directory);

}  // namespace holdfast::field
