#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/program.hpp"

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// Adds `holdfast <domain>` with `simulate` and the verbs of its table. It uses only the domain's tables and names no domain.
void add_domain(CLI::App& root, Console& console, const Domain& domain);

/// Adds a verb of a table to a command.
/// @param domain  the domain of the verb; null if it belongs to none
void add_verb(CLI::App& command, Console& console, Domains domains, const Domain* domain,
              const Verb& verb);

}  // namespace holdfast::cli
