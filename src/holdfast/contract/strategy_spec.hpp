#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// One row of a domain's table of strategies, as far as the rest of the project needs it.
struct StrategyEntry {
  std::string_view name;     ///< "next-step"
  std::string_view summary;  ///< one line
  std::string_view source;   ///< who proposed it: document, section, algorithm
  std::span<const Parameter> parameters = {};
};

/// A strategy as the user asked for it: "fixed:1h", "capped-lpa:alpha=2:mu=0.2".
struct StrategySpec {
  std::size_t index = 0;  ///< row in the domain's table
  std::string
      text;  ///< canonical: only parameters that were given, in the order of the table, in base units
  std::string shown;  ///< the same for people, as it was typed: "fixed:1h"; what tables show
  Value parameters = Value::object();  ///< by name; fallbacks filled in, absent where there is none

  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::string_view choice(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return parameters.find(name) != nullptr; }
};

/// Reads one specification. A bare value is the first parameter.
/// @param shared  parameters given once for all strategies (--slack 0): each goes to every strategy that has it
[[nodiscard]] Result<StrategySpec> parse_strategy(std::string_view text,
                                                  std::span<const StrategyEntry> table,
                                                  const Value& shared = Value::object());

/// A comma-separated list; a strategy that comes twice is an error.
[[nodiscard]] Result<std::vector<StrategySpec>> parse_strategies(
    std::string_view text, std::span<const StrategyEntry> table,
    const Value& shared = Value::object());

}  // namespace holdfast
