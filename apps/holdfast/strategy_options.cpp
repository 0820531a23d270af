#include "holdfast/strategy_options.hpp"

#include "holdfast/answers/asked/asked_strategies.hpp"
#include "holdfast/answers/strategy_list.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/report/text_table.hpp"
#include "holdfast/report/text_wrap.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace holdfast::cli {
namespace {

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string_view line : split(text, '\n'))
    longest = std::max(longest, display_width(line));
  return longest;
}

void print_entry(const std::vector<std::string>& lines, Console& console) {
  constexpr std::size_t kIndent = 4;
  const auto width = static_cast<std::size_t>(console.terminal().width);
  console.out() << bold(lines.front(), {.color = console.terminal().color}) << '\n';
  for (std::size_t i = 1; i < lines.size(); ++i) {
    for (const std::string& line : wrap(lines[i], width > 2 * kIndent ? width - kIndent : width))
      print_line(std::string(kIndent, ' ') + line, console);
  }
}

}  // namespace

void StrategyOptions::add(CLI::App& command, bool takes_several) {
  command
      .add_option(
          "--strategy", text_,
          fmt::format("{} to run, such as {}; NAME:parameter=value sets a parameter",
                      takes_several ? "strategies" : "strategy", domain_->strategies[0].name))
      ->type_name(takes_several ? "A[,B...]" : "NAME")
      ->group("Strategies");
  command.add_flag("--list-strategies", list_, "list all strategies: name, summary, source")
      ->group("Strategies");
  for (const StrategyEntry& entry : domain_->strategies) {
    if (!entry.takes_rule) shared_.add(command, entry.parameters, "Strategies");
  }
}

Result<std::vector<StrategySpec>> StrategyOptions::read_all(const Value& document) const {
  HOLDFAST_TRY(shared, shared_.values());
  return ask_strategies(*domain_, text_.empty() ? default_strategies(*domain_, document) : text_,
                        shared);
}

Result<StrategySpec> StrategyOptions::read_one(const Value& document) const {
  HOLDFAST_TRY(shared, shared_.values());
  return ask_strategy(*domain_, text_, document, shared);
}

void print_strategies(const Domain& domain, AnswerFormat format, Console& console) {
  const Answer answer = strategy_list(domain);
  const int width = console.terminal().width;
  const bool fits = width <= 0 || longest_line(to_text(answer.tables[0])) <= std::size_t(width);
  if (format != AnswerFormat::table || fits) {
    print_text(answer, format, console);
    return;
  }
  for (const StrategyEntry& entry : domain.strategies) {
    if (!entry.takes_rule) print_entry(strategy_lines(domain, entry), console);
  }
  for (const std::string& line : wrap(answer.lines[0], static_cast<std::size_t>(width)))
    print_line(line, console);
}

}  // namespace holdfast::cli
