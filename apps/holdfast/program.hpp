#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/console.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// The domains that the program knows: those of the catalog, except in tests.
using Domains = std::span<const Domain* const>;

/// Runs one command line as `main` does, but without using the streams, the environment and the signals of the process.
/// @param arguments  without the program's name
/// @returns the exit status (interface, section 1)
int run_program(std::span<const std::string> arguments, Console& console, Domains domains);

/// Returns every command of the program with its options and verbs, as the member "commands" of the catalog's document.
[[nodiscard]] Value describe_commands(Domains domains);

/// Returns the JSON Schema of the document of every verb that has one, by the words that call it.
[[nodiscard]] Value schemas(Domains domains);

/// Returns a command with its options and verbs, as in that member.
[[nodiscard]] Value described(const CLI::App& command);

}  // namespace holdfast::cli
