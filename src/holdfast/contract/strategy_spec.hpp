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

/// One row of a domain's table of strategies, reduced to what the rest of the project needs.
struct StrategyEntry {
  std::string_view name;     ///< a short name: "next-step"
  std::string_view summary;  ///< one line for people
  std::string_view source;   ///< the source that proposed it: document, section, algorithm
  std::span<const Parameter> parameters = {};  ///< the numbers and words that follow its name
  /// True for `custom` (custom_entry()), which asks a rule that the calling program supplies. It can be named only together
  /// with such a rule, so lists of strategies leave it out.
  bool takes_rule = false;
  /// True if it knows what no real system knows. It is shown beside the other strategies, as a bound or for comparison;
  /// rankings and recommendations leave it out.
  bool is_bound = false;
  /// The field of an instance that asks for this strategy: where a document has it, and the user names no strategy, `plan` takes
  /// this one in place of the recommended one, and `simulate` runs it too. Empty for most.
  std::string_view used_with = {};
};

/// Returns the row `custom`, through which a domain accepts rules from callers. Domain::decision describes what they decide.
[[nodiscard]] StrategyEntry custom_entry();

/// A strategy as the user asked for it: "fixed:1h", "capped-lpa:alpha=2:mu=0.2".
struct StrategySpec {
  std::size_t index = 0;  ///< position in the domain's table
  /// The canonical text: only the parameters that were given, in the order of the table, in base units.
  std::string text;
  std::string shown;  ///< the text as the user typed it, which tables show: "fixed:1h"
  Value parameters = Value::object();  ///< values by name, with defaults filled in
  /// The rule, never null if the entry takes a rule.
  std::shared_ptr<const RuleMaker> rule = nullptr;

  /// Return a parameter: a number in its base unit, or the word of a choice.
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::string_view choice(std::string_view name) const;
  /// Returns true if the strategy has that parameter.
  [[nodiscard]] bool has(std::string_view name) const { return parameters.find(name) != nullptr; }
};

/// Reads one specification. A value without a name is the first parameter.
/// @param shared  parameters given once for all strategies (--slack 0): each applies to every strategy that has it
/// @param rules   the rules of the program, which "custom:NAME" may name
[[nodiscard]] Result<StrategySpec> parse_strategy(std::string_view text,
                                                  std::span<const StrategyEntry> table,
                                                  const Value& shared = Value::object(),
                                                  std::span<const OwnRule> rules = {});

/// Reads a comma-separated list of specifications; a strategy that occurs twice is an error.
[[nodiscard]] Result<std::vector<StrategySpec>> parse_strategies(
    std::string_view text, std::span<const StrategyEntry> table,
    const Value& shared = Value::object(), std::span<const OwnRule> rules = {});

}  // namespace holdfast
