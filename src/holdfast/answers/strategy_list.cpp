#include "holdfast/answers/strategy_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace holdfast {
namespace {

std::string with_default(const Parameter& parameter) {
  if (parameter.is_required) return fmt::format("{} (required)", parameter.name);
  return parameter.fallback.empty() ? std::string(parameter.name)
                                    : fmt::format("{}={}", parameter.name, parameter.fallback);
}

std::string parameter_names(const StrategyEntry& entry) {
  std::vector<std::string> texts;
  for (const Parameter& parameter : entry.parameters) texts.push_back(with_default(parameter));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string starred(const Domain& domain, const StrategyEntry& entry) {
  return std::string(entry.name) + (entry.name == domain.recommended ? " *" : "");
}

Value strategies_document(const Domain& domain) {
  Value list = Value::array();
  for (const StrategyEntry& entry : domain.strategies) {
    if (entry.takes_rule) continue;
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
    if (entry.takes_rule) continue;
    table.rows.push_back(
        {starred(domain, entry), entry.summary, parameter_names(entry), entry.source});
  }
  return table;
}

}  // namespace

Answer strategy_list(const Domain& domain) {
  Answer answer;
  answer.tables.push_back(strategies_table(domain));
  answer.lines.push_back(legend_of(domain));
  answer.document = strategies_document(domain);
  return answer;
}

std::vector<std::string> strategy_lines(const Domain& domain, const StrategyEntry& entry) {
  std::vector<std::string> out = {starred(domain, entry), std::string(entry.summary)};
  const std::string parameters = parameter_names(entry);
  if (!parameters.empty()) out.push_back("parameters: " + parameters);
  out.push_back("source: " + std::string(entry.source));
  return out;
}

}  // namespace holdfast
