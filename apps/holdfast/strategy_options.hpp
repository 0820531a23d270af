#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/option_set.hpp"

#include <string>
#include <vector>

namespace holdfast::cli {

class Console;

/// The options `--strategy A[,B...]` and `--list-strategies`, and the strategies' parameters as options that hold for all of
/// them.
class StrategyOptions {
 public:
  explicit StrategyOptions(const Domain* domain) : domain_(domain) {}

  /// @param takes_several  true: the verb compares strategies; false: it takes one
  void add(CLI::App& command, bool takes_several);

  [[nodiscard]] bool wants_list() const { return list_; }
  /// Returns the strategies that were named, or the default ones for the document. A parameter that none of them has is an
  /// error.
  [[nodiscard]] Result<std::vector<StrategySpec>> read_all(const Value& document) const;
  /// Returns the strategy that was named, or the recommended one.
  [[nodiscard]] Result<StrategySpec> read_one(const Value& document) const;

 private:
  const Domain* domain_;
  std::string text_;
  bool list_ = false;
  OptionSet shared_;
};

/// Prints name, summary, parameters and source of each strategy, as a table if the terminal is wide enough for its rows.
void print_strategies(const Domain& domain, AnswerFormat format, Console& console);

}  // namespace holdfast::cli
