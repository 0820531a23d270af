#pragma once

#include "holdfast/contract/domain.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace holdfast::cli {

/// The command of a verb. It remembers the verb, for help texts and descriptions.
class VerbApp final : public CLI::App {
 public:
  /// @param known_by  the domain of the verb; null if it belongs to none
  VerbApp(const Domain* known_by, const Verb& row)
      : CLI::App(std::string(row.summary), std::string(row.name)), domain{known_by}, verb{&row} {}

  const Domain* domain;
  const Verb* verb;
};

/// Returns the command as that of a verb, or null if it is another.
[[nodiscard]] inline const VerbApp* as_verb(const CLI::App& command) {
  return dynamic_cast<const VerbApp*>(&command);
}

}  // namespace holdfast::cli
