#pragma once

#include "holdfast/base/error.hpp"

#include <limits>
#include <string>
#include <vector>

namespace holdfast {

struct CommandResult {
  int status = 0;  ///< exit status; 128 and the signal where one ended it
  std::string out;
  std::string err;
};

/// Runs a program (found as a shell would, without a shell) and waits for it; io_failure where it cannot be started, or where it
/// has not ended after `seconds`: then it is killed.
[[nodiscard]] Result<CommandResult> run_command(
    const std::vector<std::string>& words,
    double seconds = std::numeric_limits<double>::infinity());

}  // namespace holdfast
