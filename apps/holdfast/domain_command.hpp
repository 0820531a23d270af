#pragma once

#include "holdfast/contract/domain.hpp"

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// Adds `holdfast <domain>` with `simulate` and the verbs of its table. It uses only the domain's tables and names no domain.
void add_domain(CLI::App& root, Console& console, const Domain& domain);

/// Adds `holdfast <domain> simulate`.
void add_simulate(CLI::App& command, Console& console, const Domain& domain);

/// Adds `holdfast <domain> <verb>` for a verb of the domain's table.
void add_verb(CLI::App& command, Console& console, const Domain& domain, const Verb& verb);

}  // namespace holdfast::cli
