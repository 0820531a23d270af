#include "holdfast/strategy_options.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/report/text_wrap.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace holdfast::cli {
namespace {

Status check_reached(const std::vector<std::string_view>& given,
                     const std::vector<StrategySpec>& specs, const Domain& domain) {
  for (const std::string_view name : given) {
    const bool reached = std::any_of(specs.begin(), specs.end(), [&](const StrategySpec& spec) {
      const auto parameters = domain.strategies[spec.index].parameters;
      return std::any_of(parameters.begin(), parameters.end(),
                         [name](const Parameter& parameter) { return parameter.name == name; });
    });
    if (reached) continue;
    std::vector<std::string> owners;
    for (const StrategyEntry& entry : domain.strategies) {
      for (const Parameter& parameter : entry.parameters) {
        if (parameter.name == name) owners.emplace_back(entry.name);
      }
    }
    return fail(ErrorCode::usage, option_name(name),
                fmt::format("none of the strategies has this parameter; it belongs to {}",
                            fmt::join(owners, ", ")));
  }
  return {};
}

std::string described(const Parameter& parameter) {
  if (parameter.is_required) return fmt::format("{} (required)", parameter.name);
  return parameter.fallback.empty() ? std::string(parameter.name)
                                    : fmt::format("{}={}", parameter.name, parameter.fallback);
}

std::string parameters_of(const StrategyEntry& entry) {
  std::vector<std::string> texts;
  for (const Parameter& parameter : entry.parameters) texts.push_back(described(parameter));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string starred(const Domain& domain, const StrategyEntry& entry) {
  return std::string(entry.name) + (entry.name == domain.recommended ? " *" : "");
}

Value strategies_document(const Domain& domain) {
  Value list = Value::array();
  for (const StrategyEntry& entry : domain.strategies) {
    Value parameters = Value::array();
    for (const Parameter& parameter : entry.parameters) {
      Value& row = parameters.push(
          Value::object({{"name", parameter.name}, {"summary", parameter.summary}}));
      if (!parameter.fallback.empty()) row.set("default", parameter.fallback);
      if (parameter.is_required) row.set("required", true);
    }
    list.push(Value::object({{"name", entry.name},
                             {"summary", entry.summary},
                             {"source", entry.source},
                             {"parameters", std::move(parameters)}}));
  }
  Value out = Value::object({{"domain", domain.name},
                             {"recommended", domain.recommended},
                             {"baseline", domain.baseline}});
  if (!domain.informed.strategy.empty()) out.set("informed_baseline", domain.informed.strategy);
  out.set("strategies", std::move(list));
  return out;
}

std::string legend_of(const Domain& domain) {
  const std::string legend =
      fmt::format("* recommended; the usual baseline is {}", domain.baseline);
  if (domain.informed.strategy.empty()) return legend;
  return fmt::format("{}, and with {} known {}", legend, domain.informed.knows,
                     domain.informed.strategy);
}

Table strategies_table(const Domain& domain) {
  Table table{.columns = {{"strategy"}, {"what it does"}, {"parameters"}, {"source"}}};
  for (const StrategyEntry& entry : domain.strategies) {
    table.rows.push_back(
        {starred(domain, entry), entry.summary, parameters_of(entry), entry.source});
  }
  return table;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string_view line : split(text, '\n'))
    longest = std::max(longest, display_width(line));
  return longest;
}

// One strategy in several lines, for terminals on which the table has no room.
void print_entry(const Domain& domain, const StrategyEntry& entry, Console& console) {
  constexpr std::size_t kIndent = 4;
  const auto width = static_cast<std::size_t>(console.terminal().width);
  console.out() << bold(starred(domain, entry), {.color = console.terminal().color}) << '\n';
  const std::string parameters = parameters_of(entry);
  for (const std::string& text :
       {std::string(entry.summary), parameters.empty() ? "" : "parameters: " + parameters,
        "source: " + std::string(entry.source)}) {
    if (text.empty()) continue;
    for (const std::string& line : wrap(text, width > 2 * kIndent ? width - kIndent : width))
      print_line(std::string(kIndent, ' ') + line, console);
  }
}

}  // namespace

void StrategyOptions::add(CLI::App& command) {
  command
      .add_option("--strategy", text_, "strategies to run, with parameters: fixed:1h,young-daly")
      ->type_name("A[,B...]")
      ->group("Strategies");
  command.add_flag("--list-strategies", list_, "print them all: name, one line, source")
      ->group("Strategies");
  for (const StrategyEntry& entry : domain_->strategies) {
    shared_.add(command, entry.parameters, "Strategies");
  }
}

Result<std::vector<StrategySpec>> StrategyOptions::read_all(const std::string& fallback) const {
  HOLDFAST_TRY(shared, shared_.values());
  HOLDFAST_TRY(specs,
               parse_strategies(text_.empty() ? fallback : text_, domain_->strategies, shared));
  HOLDFAST_CHECK(check_reached(shared_.given(), specs, *domain_));
  return specs;
}

Result<StrategySpec> StrategyOptions::read_one(const std::string& fallback) const {
  HOLDFAST_TRY(specs, read_all(fallback));
  if (specs.size() != 1) {
    return fail(ErrorCode::usage, "--strategy",
                fmt::format("found {} strategies, expected one", specs.size()));
  }
  return std::move(specs.front());
}

void print_strategies(const Domain& domain, AnswerFormat format, Console& console) {
  Shown shown;
  shown.tables.push_back(strategies_table(domain));
  shown.lines.push_back(legend_of(domain));
  if (format == AnswerFormat::json) shown.document = strategies_document(domain);
  const int width = console.terminal().width;
  const bool fits = width <= 0 || longest_line(to_text(shown.tables[0])) <= std::size_t(width);
  if (format != AnswerFormat::table || fits) {
    print_shown(shown, format, console);
    return;
  }
  for (const StrategyEntry& entry : domain.strategies) print_entry(domain, entry, console);
  for (const std::string& line : wrap(shown.lines[0], static_cast<std::size_t>(width)))
    print_line(line, console);
}

}  // namespace holdfast::cli
