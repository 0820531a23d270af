#include "holdfast/answers/asked/asked_strategies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace holdfast {
namespace {

bool has_parameter(const StrategyEntry& entry, std::string_view name) {
  return std::any_of(entry.parameters.begin(), entry.parameters.end(),
                     [name](const Parameter& parameter) { return parameter.name == name; });
}

Status check_reached(const Value& shared, const std::vector<StrategySpec>& specs,
                     const Domain& domain) {
  for (const auto& [name, value] : *shared.members()) {
    const bool reached = std::any_of(specs.begin(), specs.end(), [&](const StrategySpec& spec) {
      return has_parameter(domain.strategies[spec.index], name);
    });
    if (reached) continue;
    std::vector<std::string_view> owners;
    for (const StrategyEntry& entry : domain.strategies) {
      if (has_parameter(entry, name)) owners.push_back(entry.name);
    }
    return fail(ErrorCode::usage, option_name(name),
                fmt::format("none of the strategies has this parameter; it belongs to {}",
                            fmt::join(owners, ", ")));
  }
  return {};
}

}  // namespace

std::string default_strategies(const Domain& domain, const Value& document) {
  const auto values_of = [&document](std::string_view field) {
    const Value* value = document.find(field);
    return value == nullptr ? std::vector<const Value*>{} : std::vector{value};
  };
  return fmt::format("{}", fmt::join(domain.default_strategies(values_of), ","));
}

std::optional<std::size_t> baseline_of(const Domain& domain,
                                       std::span<const StrategySpec> strategies) {
  std::vector<std::size_t> compared;  // a bound is never a baseline
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    if (!domain.strategies[strategies[i].index].is_bound) compared.push_back(i);
  }
  if (compared.size() < 2) return std::nullopt;
  for (const std::size_t i : compared) {
    if (domain.strategies[strategies[i].index].name == domain.baseline) return i;
  }
  return compared.back();
}

Result<std::vector<StrategySpec>> ask_strategies(const Domain& domain, std::string_view text,
                                                 const Value& shared,
                                                 std::span<const OwnRule> rules) {
  auto specs = parse_strategies(text, domain.strategies, shared, rules);
  if (!specs) return fail(as_option("strategy", specs.error()));
  HOLDFAST_CHECK(check_reached(shared, *specs, domain));
  return std::move(*specs);
}

Result<StrategySpec> ask_strategy(const Domain& domain, std::string_view text,
                                  const Value& document, const Value& shared,
                                  std::span<const OwnRule> rules) {
  HOLDFAST_TRY(
      specs, ask_strategies(domain, text.empty() ? domain.default_strategy(document) : text, shared,
                            rules));
  if (specs.size() != 1) {
    return fail(ErrorCode::usage, "--strategy",
                fmt::format("found {} strategies, expected one", specs.size()));
  }
  return std::move(specs.front());
}

}  // namespace holdfast
