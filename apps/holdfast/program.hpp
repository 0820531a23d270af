#pragma once

#include "holdfast/console.hpp"
#include "holdfast/verbs.hpp"

#include <span>
#include <string>

namespace holdfast::cli {

/// Runs one command line as `main` does, but without using the streams, the environment and the signals of the process.
/// @param arguments  without the program's name
/// @returns the exit status (interface, section 1)
int run_program(std::span<const std::string> arguments, Console& console, Domains domains);

/// Returns every command of the program with its options and verbs, as the member "commands" of the catalog's document.
[[nodiscard]] Value describe_commands(Domains domains);

}  // namespace holdfast::cli
