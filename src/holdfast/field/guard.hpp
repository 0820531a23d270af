#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/field/driver.hpp"
#include "holdfast/field/guard_options.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::field {

/// Locked in a guard's directory while it runs.
inline constexpr std::string_view kGuardLockFile = "guard.lock";

/// A job to guard.
struct GuardRequest {
  GuardOptions options;
  Value instance;                         ///< what is known of costs and failures (advisor_pace)
  std::filesystem::path input_directory;  ///< where its paths start
  Value advice;                           ///< advice of advice_parameters()
};

/// Checks what is known of costs and failures. Errors name fields of the instance, or options.
[[nodiscard]] Status check_guard(const GuardRequest& request);

/// Guards a program to its end: makes the directory and locks it, ends what an earlier guard that was killed left, goes on
/// from its journal, and starts the program.
/// @returns the exit code of the guard, or why nothing was started
[[nodiscard]] Result<int> run_guard(const GuardRequest& request, const Voice& voice);

}  // namespace holdfast::field
