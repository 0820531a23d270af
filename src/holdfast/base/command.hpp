#pragma once

#include "holdfast/base/error.hpp"

#include <limits>
#include <string>
#include <vector>

namespace holdfast {

/// What a program that has ended left behind.
struct CommandResult {
  int status = 0;   ///< exit status; 128 plus the signal if one ended the program
  std::string out;  ///< the contents of standard output
  std::string err;  ///< the contents of standard error
};

/// Runs a program, found in PATH as a shell would, and waits for it. It is an io_failure if the program cannot be started, or
/// does not end within `seconds` and is killed.
[[nodiscard]] Result<CommandResult> run_command(
    const std::vector<std::string>& words,
    double seconds = std::numeric_limits<double>::infinity());

}  // namespace holdfast
