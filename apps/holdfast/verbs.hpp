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

/// The verbs that belong to no domain, one file each. Each adds a command: parse, call, print.
namespace holdfast::cli {

class Console;

/// What the program knows; the catalog's list outside of tests.
using Domains = std::span<const Domain* const>;

/// `holdfast init DOMAIN`
void add_init(CLI::App& root, Console& console, Domains domains);

/// `holdfast run CAMPAIGN.toml|DIR`
void add_run(CLI::App& root, Console& console, Domains domains);

/// `holdfast report DIR`
void add_report(CLI::App& root, Console& console, Domains domains);
/// Writes the page of a campaign's results and says where.
[[nodiscard]] Status report_to(const std::filesystem::path& file, Links links,
                               const Results& results, Domains domains, Console& console);

/// `holdfast reproduce [ID...|--list|--all]`
void add_reproduce(CLI::App& root, Console& console, Domains domains);

/// `holdfast guard -- COMMAND`
void add_guard(CLI::App& root, Console& console, Domains domains);
/// Prints what became of the job that was guarded in a directory.
[[nodiscard]] Status print_guard_report(const std::filesystem::path& directory, bool json,
                                        Console& console);

/// `holdfast io serve`, and what else the arbiter does
void add_arbiter(CLI::App& io, Console& console);

/// `holdfast trace info|fit FILE`
void add_trace(CLI::App& root, Console& console);

/// `holdfast describe [DOMAIN]`
void add_describe(CLI::App& root, Console& console, Domains domains);
/// A command with its options and verbs, as the catalog's document holds them under "commands".
[[nodiscard]] Value described(const CLI::App& command);

/// `holdfast verify FILE...`
void add_verify(CLI::App& root, Console& console, Domains domains);

/// `holdfast cite [ID...]`
void add_cite(CLI::App& root, Console& console, Domains domains);

/// `holdfast completion SHELL`
void add_completion(CLI::App& root, Console& console);

}  // namespace holdfast::cli
