#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/field/guard_report.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/replay.hpp"

#include <filesystem>
#include <vector>

namespace holdfast::field {

/// What lies in a guard's directory, and whether a guard runs there.
struct GuardStatus {
  History history;
  Value instance;  ///< what the guard was told of costs and failures
  Value advice;    ///< and of its strategy
  bool is_guarded = false;
  double time = 0;  ///< now, seconds since 1970
};

/// Returns true if a directory is one of a guard.
[[nodiscard]] bool holds_guard(const std::filesystem::path& directory);
/// Returns what other strategies would have made of the same failures, where that can be said.
[[nodiscard]] Result<Replay> replay_of(const GuardStatus& status);
/// Reads it, also while a guard writes there.
[[nodiscard]] Result<GuardStatus> read_guard_status(const std::filesystem::path& directory);

}  // namespace holdfast::field
