#pragma once

#include "holdfast/answers/command_runner.hpp"
#include "holdfast/program.hpp"

namespace holdfast::cli {

/// Returns a function that runs commands of this program in memory, with the places of `console`.
[[nodiscard]] CommandRunner runner_in_memory(Domains domains, const Console& console);

}  // namespace holdfast::cli
