#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/decision.hpp"
#include "holdfast/contract/parameter.hpp"

#include <cstddef>
#include <memory>
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
  /// It decides by a rule that the program brings, `custom` (custom_entry()). Nobody can name it who brings none, so it
  /// stands in no list of what there is.
  bool takes_rule = false;
  /// It knows what no real system knows, and no strategy is better on the same draw. So it is what others are measured
  /// by, and is left out of rankings and recommendations.
  bool is_bound = false;
};

/// The row by which a domain takes rules from outside; Domain::decision says what they decide.
[[nodiscard]] StrategyEntry custom_entry();

/// A strategy as the user asked for it: "fixed:1h", "capped-lpa:alpha=2:mu=0.2".
struct StrategySpec {
  std::size_t index = 0;  ///< row in the domain's table
  std::string
      text;  ///< canonical: only parameters that were given, in the order of the table, in base units
  std::string shown;  ///< the same for people, as it was typed: "fixed:1h"; what tables show
  Value parameters = Value::object();  ///< by name; fallbacks filled in, absent where there is none
  std::shared_ptr<const RuleMaker> rule =
      nullptr;  ///< of an entry that takes one; never null there

  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::string_view choice(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return parameters.find(name) != nullptr; }
};

/// Reads one specification. A bare value is the first parameter.
/// @param shared  parameters given once for all strategies (--slack 0): each goes to every strategy that has it
/// @param rules   that the program brings: what "custom:NAME" may name
[[nodiscard]] Result<StrategySpec> parse_strategy(std::string_view text,
                                                  std::span<const StrategyEntry> table,
                                                  const Value& shared = Value::object(),
                                                  std::span<const OwnRule> rules = {});

/// A comma-separated list; a strategy that comes twice is an error.
[[nodiscard]] Result<std::vector<StrategySpec>> parse_strategies(
    std::string_view text, std::span<const StrategyEntry> table,
    const Value& shared = Value::object(), std::span<const OwnRule> rules = {});

}  // namespace holdfast
