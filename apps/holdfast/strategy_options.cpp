#include "holdfast/strategy_options.hpp"

#include "holdfast/console.hpp"
#include "holdfast/print.hpp"

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
  return parameter.fallback.empty() ? std::string(parameter.name)
                                    : fmt::format("{}={}", parameter.name, parameter.fallback);
}

std::string parameters_of(const StrategyEntry& entry) {
  std::vector<std::string> texts;
  for (const Parameter& parameter : entry.parameters) texts.push_back(described(parameter));
  return fmt::format("{}", fmt::join(texts, ", "));
}

Value strategies_document(const Domain& domain) {
  Value list = Value::array();
  for (const StrategyEntry& entry : domain.strategies) {
    Value parameters = Value::array();
    for (const Parameter& parameter : entry.parameters) {
      Value& row = parameters.push(
          Value::object({{"name", parameter.name}, {"summary", parameter.summary}}));
      if (!parameter.fallback.empty()) row.set("default", parameter.fallback);
    }
    list.push(Value::object({{"name", entry.name},
                             {"summary", entry.summary},
                             {"source", entry.source},
                             {"parameters", std::move(parameters)}}));
  }
  return Value::object({{"domain", domain.name},
                        {"recommended", domain.recommended},
                        {"baseline", domain.baseline},
                        {"strategies", std::move(list)}});
}

}  // namespace

void StrategyOptions::add(CLI::App& command) {
  command
      .add_option("--strategy", text_, "strategies to run, with parameters: fixed:1h,young-daly")
      ->type_name("A[,B...]")
      ->take_last()
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

void print_strategies(const Domain& domain, bool json, Console& console) {
  if (json) {
    print_document(strategies_document(domain), console);
    return;
  }
  Table table{.columns = {{"strategy"}, {"what it does"}, {"parameters"}, {"source"}}};
  for (const StrategyEntry& entry : domain.strategies) {
    std::string name(entry.name);
    if (entry.name == domain.recommended) name += " *";
    table.rows.push_back({name, entry.summary, parameters_of(entry), entry.source});
  }
  print_table(table, console);
  print_line(fmt::format("* recommended; the usual baseline is {}", domain.baseline), console);
}

}  // namespace holdfast::cli
