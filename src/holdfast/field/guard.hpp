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

/// The file that is locked in a guard's directory while the guard runs.
inline constexpr std::string_view kGuardLockFile = "guard.lock";

/// A job to guard.
struct GuardRequest {
  GuardOptions options;
  Value instance;                         ///< known costs and failures (advisor_pace)
  std::filesystem::path input_directory;  ///< folder to which its paths refer
  Value advice;                           ///< values of advice_parameters()
};

/// Checks the known costs and failures. Errors name fields of the instance, or options.
[[nodiscard]] Status check_guard(const GuardRequest& request);

/// Guards a program until it ends. It creates the directory and locks it, ends the processes that a killed guard left behind,
/// continues from its journal, and starts the program.
/// @returns the exit code of the guard, or the reason why nothing was started
[[nodiscard]] Result<int> run_guard(const GuardRequest& request, const Voice& voice);

}  // namespace holdfast::field
