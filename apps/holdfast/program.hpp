#pragma once

#include "holdfast/console.hpp"
#include "holdfast/verbs.hpp"

#include <span>
#include <string>

namespace holdfast::cli {

/// Runs one command line, as `main` does but without touching the process.
/// @param arguments  without the program's name
/// @returns the exit status (interface, section 1)
int run_program(std::span<const std::string> arguments, Console& console, Domains domains);

}  // namespace holdfast::cli
