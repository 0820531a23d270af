#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <span>

namespace CLI {
class App;
}

namespace holdfast {
class Results;
}

/// The verbs that belong to no domain, one file each. Each function adds a command, which parses its options, calls the library
/// and prints the result.
namespace holdfast::cli {

class Console;

/// The domains that the program knows: those of the catalog, except in tests.
using Domains = std::span<const Domain* const>;

/// Adds `holdfast init DOMAIN`.
void add_init(CLI::App& root, Console& console, Domains domains);

/// Adds `holdfast run CAMPAIGN.toml|DIR`.
void add_run(CLI::App& root, Console& console, Domains domains);

/// Adds `holdfast report DIR`.
void add_report(CLI::App& root, Console& console, Domains domains);
/// Writes the page of a campaign's results, and prints its name.
[[nodiscard]] Status report_to(const std::filesystem::path& file, Links links,
                               const Results& results, Domains domains, Console& console);

/// Adds `holdfast reproduce [ID...|--list|--all]`.
void add_reproduce(CLI::App& root, Console& console, Domains domains);

/// Adds `holdfast guard -- COMMAND`.
void add_guard(CLI::App& root, Console& console, Domains domains);
/// Prints the report of the job that was guarded in a directory.
[[nodiscard]] Status print_guard_report(const std::filesystem::path& directory, bool json,
                                        Console& console);

/// Adds `holdfast io serve` and the other commands of the arbiter.
void add_arbiter(CLI::App& io, Console& console);

/// Adds `holdfast trace` with its verbs.
void add_trace(CLI::App& root, Console& console);

/// Adds `holdfast describe [DOMAIN]`.
void add_describe(CLI::App& root, Console& console, Domains domains);
/// Returns a command with its options and verbs, as in the member "commands" of the catalog's document.
[[nodiscard]] Value described(const CLI::App& command);

/// Adds `holdfast verify FILE...`.
void add_verify(CLI::App& root, Console& console, Domains domains);

/// Adds `holdfast cite [ID...]`.
void add_cite(CLI::App& root, Console& console, Domains domains);

/// Adds `holdfast completion SHELL`.
void add_completion(CLI::App& root, Console& console);

}  // namespace holdfast::cli
