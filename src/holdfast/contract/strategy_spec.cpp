#include "holdfast/contract/strategy_spec.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace holdfast {
namespace {

constexpr std::string_view kWhere = "--strategy";

Result<std::size_t> find_entry(std::string_view name, std::span<const StrategyEntry> table) {
  const auto match = std::find_if(table.begin(), table.end(),
                                  [&](const StrategyEntry& entry) { return entry.name == name; });
  if (match != table.end()) return static_cast<std::size_t>(match - table.begin());
  std::vector<std::string_view> names;
  for (const StrategyEntry& entry : table) names.push_back(entry.name);
  return fail(ErrorCode::usage, std::string(kWhere),
              fmt::format("unknown strategy '{}'; {}", name, suggestion(name, names)));
}

Result<const Parameter*> find_parameter(const StrategyEntry& entry, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : entry.parameters) {
    if (parameter.name == name) return &parameter;
    names.push_back(parameter.name);
  }
  return fail(
      ErrorCode::usage, std::string(kWhere),
      fmt::format("'{}' has no parameter '{}'; {}", entry.name, name, suggestion(name, names)));
}

// One part of "name:part:part": "alpha=2", or a bare value for the first parameter.
Status read_part(std::string_view part, bool is_first, const StrategyEntry& entry, Value& given) {
  const auto equals = part.find('=');
  const Parameter* parameter = nullptr;
  std::string_view text = part;
  if (equals == std::string_view::npos) {
    if (entry.parameters.empty() || !is_first) {
      return fail(ErrorCode::usage, std::string(kWhere),
                  entry.parameters.empty()
                      ? fmt::format("'{}' takes no parameter, found '{}'", entry.name, part)
                      : fmt::format("found '{}' in '{}', expected name=value", part, entry.name));
    }
    parameter = &entry.parameters.front();
  } else {
    HOLDFAST_TRY(found, find_parameter(entry, part.substr(0, equals)));
    parameter = found;
    text = part.substr(equals + 1);
  }
  if (given.find(parameter->name) != nullptr) {
    return fail(ErrorCode::usage, std::string(kWhere),
                fmt::format("'{}' is given twice for '{}'", parameter->name, entry.name));
  }
  auto value = parse_parameter(*parameter, text, fmt::format("{} {}", kWhere, entry.name));
  if (!value) {
    return fail(ErrorCode::usage, value.error().where,
                fmt::format("{}: {}", parameter->name, value.error().message));
  }
  given.set(parameter->name, std::move(*value));
  return {};
}

// "capped-lpa:alpha=2:mu=0.2": what was given, in the order of the table and in base units.
std::string canonical(const StrategyEntry& entry, const Value& given) {
  std::string out(entry.name);
  for (const Parameter& parameter : entry.parameters) {
    const Value* value = given.find(parameter.name);
    if (value == nullptr) continue;
    const std::string* text = value->string();
    out += fmt::format(":{}={}", parameter.name, text != nullptr ? *text : to_compact_json(*value));
  }
  return out;
}

void fill_fallbacks(const StrategyEntry& entry, Value& parameters) {
  for (const Parameter& parameter : entry.parameters) {
    if (parameter.fallback.empty() || parameters.find(parameter.name) != nullptr) continue;
    auto value = parse_parameter(parameter, parameter.fallback, parameter.name);
    assert(value && "a table's fallback must be a valid value");
    parameters.set(parameter.name, std::move(*value));
  }
}

}  // namespace

double StrategySpec::number(std::string_view name) const {
  const Value* value = parameters.find(name);
  assert(value != nullptr && value->is_number());
  return value->number();
}

std::string_view StrategySpec::choice(std::string_view name) const {
  const Value* value = parameters.find(name);
  assert(value != nullptr && value->string() != nullptr);
  return *value->string();
}

Result<StrategySpec> parse_strategy(std::string_view text, std::span<const StrategyEntry> table,
                                    const Value& shared) {
  const auto parts = split(trim(text), ':');
  StrategySpec spec;
  HOLDFAST_TRY(index, find_entry(parts.front(), table));
  spec.index = index;
  const StrategyEntry& entry = table[index];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    HOLDFAST_CHECK(read_part(parts[i], i == 1, entry, spec.parameters));
  }
  for (const Parameter& parameter : entry.parameters) {
    const Value* value = shared.find(parameter.name);
    if (value != nullptr && !spec.has(parameter.name)) spec.parameters.set(parameter.name, *value);
  }
  spec.text = canonical(entry, spec.parameters);
  fill_fallbacks(entry, spec.parameters);
  return spec;
}

Result<std::vector<StrategySpec>> parse_strategies(std::string_view text,
                                                   std::span<const StrategyEntry> table,
                                                   const Value& shared) {
  std::vector<StrategySpec> specs;
  for (const std::string_view part : split(text, ',')) {
    HOLDFAST_TRY(spec, parse_strategy(part, table, shared));
    for (const StrategySpec& other : specs) {
      if (other.text == spec.text) {
        return fail(ErrorCode::usage, std::string(kWhere),
                    fmt::format("'{}' is named twice", spec.text));
      }
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace holdfast
