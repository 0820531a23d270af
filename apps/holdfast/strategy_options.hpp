#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/format_option.hpp"
#include "holdfast/option_set.hpp"

#include <string>
#include <vector>

namespace holdfast::cli {

class Console;

/// `--strategy A[,B...]`, `--list-strategies`, and the strategies' parameters as options that hold for all of them.
class StrategyOptions {
 public:
  explicit StrategyOptions(const Domain& domain) : domain_(&domain) {}

  void add(CLI::App& command);

  [[nodiscard]] bool wants_list() const { return list_; }
  /// The strategies that were named, or those that are usual on the document. Refuses an option that reaches none of them.
  [[nodiscard]] Result<std::vector<StrategySpec>> read_all(const Value& document) const;
  /// The one that was named, or the recommended one.
  [[nodiscard]] Result<StrategySpec> read_one() const;

 private:
  const Domain* domain_;
  std::string text_;
  bool list_ = false;
  OptionSet shared_;
};

/// Name, one line, parameters and source of each strategy; a table where the terminal has room for its rows.
void print_strategies(const Domain& domain, AnswerFormat format, Console& console);

}  // namespace holdfast::cli
