#pragma once

#include "holdfast/base/error.hpp"

#include <limits>
#include <string>
#include <vector>

namespace holdfast {

/// The exit status and the output of a program that has ended.
struct CommandResult {
  int status = 0;   ///< exit status; 128 plus the signal if one ended the program
  std::string out;  ///< the contents of standard output
  std::string err;  ///< the contents of standard error
};

/// Runs a program, which is looked up in PATH as in a shell. If it cannot be started, or is killed because it does not end
/// within `seconds`, the result is an io_failure.
/// @param words  the program and its arguments
[[nodiscard]] Result<CommandResult> run_command(
    const std::vector<std::string>& words,
    double seconds = std::numeric_limits<double>::infinity());

}  // namespace holdfast
