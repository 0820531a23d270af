#include "holdfast/contract/strategy_spec.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace holdfast {
namespace {

constexpr std::string_view kWhere = "/strategy";

Result<std::size_t> find_entry(std::string_view name, std::span<const StrategyEntry> table) {
  const auto match = std::find_if(table.begin(), table.end(),
                                  [&](const StrategyEntry& entry) { return entry.name == name; });
  if (match != table.end()) return static_cast<std::size_t>(match - table.begin());
  std::vector<std::string_view> names;
  for (const StrategyEntry& entry : table) {
    if (!entry.takes_rule) names.push_back(entry.name);
  }
  return fail(ErrorCode::usage, std::string(kWhere),
              fmt::format("unknown strategy {}; {}", in_quotes(name), suggestion(name, names)));
}

Result<const Parameter*> find_parameter(const StrategyEntry& entry, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : entry.parameters) {
    if (parameter.name == name) return &parameter;
    names.push_back(parameter.name);
  }
  return fail(ErrorCode::usage, std::string(kWhere),
              fmt::format("'{}' has no parameter {}; {}", entry.name, in_quotes(name),
                          suggestion(name, names)));
}

// Reads one part of "name:part:part": "alpha=2", or a bare value for the first parameter.
Status read_part(std::string_view part, bool is_first, const StrategyEntry& entry, Value& given) {
  const auto equals = part.find('=');
  const Parameter* parameter = nullptr;
  std::string_view text = part;
  if (equals == std::string_view::npos) {
    if (entry.parameters.empty() || !is_first) {
      return fail(
          ErrorCode::usage, std::string(kWhere),
          entry.parameters.empty()
              ? fmt::format("'{}' takes no parameter, found {}", entry.name, in_quotes(part))
              : fmt::format("found {} in '{}', expected name=value", in_quotes(part), entry.name));
    }
    parameter = &entry.parameters.front();
  } else {
    HOLDFAST_TRY(found, find_parameter(entry, part.substr(0, equals)));
    parameter = found;
    text = part.substr(equals + 1);
  }
  if (given.find(parameter->name) != nullptr) {
    return fail(ErrorCode::usage, std::string(kWhere),
                fmt::format("{} is given twice for '{}'", in_quotes(parameter->name), entry.name));
  }
  auto value = parse_parameter(*parameter, text, fmt::format("{} {}", kWhere, entry.name));
  if (!value) {
    return fail(ErrorCode::usage, value.error().where,
                fmt::format("{}: {}", parameter->name, value.error().message));
  }
  given.set(parameter->name, std::move(*value));
  return {};
}

// Returns the canonical text, "capped-lpa:alpha=2:mu=0.2": the given parameters, in the order of the table and in base units.
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

Status check_required(const StrategyEntry& entry, const Value& given) {
  for (const Parameter& parameter : entry.parameters) {
    if (!parameter.is_required || given.find(parameter.name) != nullptr) continue;
    return fail(ErrorCode::usage, std::string(kWhere),
                fmt::format("'{}' needs '{}' ({}), as in {}:{}=VALUE", entry.name, parameter.name,
                            parameter.summary, entry.name, parameter.name));
  }
  return {};
}

std::string shown_value(const Parameter& parameter, const Value& value) {
  if (parameter.kind == Kind::number) return exact_text(value.number(), parameter.unit);
  return value.string() != nullptr ? *value.string() : to_compact_json(value);
}

// Returns the name and the parameters. A colon inside a time of day, "fixed:12:30:00", does not separate parts: only the first
// parameter may have no name.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(text, ':')) {
    const bool is_two_digits =
        part.size() == 2 && part.find_first_not_of("0123456789") == std::string_view::npos;
    if (parts.size() > 1 && is_two_digits) {
      std::string_view& whole = parts.back();
      whole = {whole.data(), whole.size() + 1 + part.size()};
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

// Finds the rule that a specification names; the version of the rule becomes part of the canonical text.
Status bring_rule(std::span<const OwnRule> rules, StrategySpec& spec) {
  const std::string_view name = spec.choice("name");
  std::vector<std::string_view> names;
  for (const OwnRule& rule : rules) names.push_back(rule.name);
  if (const auto count = std::ranges::count(names, name); count != 1) {
    return fail(ErrorCode::usage, std::string(kWhere),
                count > 1 ? fmt::format("the program brings {} rules named {}, expected one", count,
                                        in_quotes(name))
                          : fmt::format("the program brings no rule named {}; {}", in_quotes(name),
                                        suggestion(name, names)));
  }
  const auto& rule =
      rules[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
  const Value* given = spec.parameters.find("version");
  std::int64_t asked = 0;
  if (given != nullptr && given->get_integer(asked) && asked != rule.version) {
    return fail(ErrorCode::usage, std::string(kWhere),
                fmt::format("found version {} of the rule {}, the program brings version {}", asked,
                            in_quotes(name), rule.version));
  }
  if (rule.maker == nullptr) {
    return fail(ErrorCode::usage, std::string(kWhere),
                fmt::format("the rule {} has nothing that decides", in_quotes(name)));
  }
  spec.parameters.set("version", rule.version);
  spec.rule = rule.maker;
  spec.shown = rule.name;
  return {};
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

StrategyEntry custom_entry() {
  static constexpr auto kParameters = std::to_array<Parameter>({
      {.name = "name",
       .summary = "name of the rule that the program brings",
       .kind = Kind::text,
       .is_required = true},
      {.name = "version",
       .summary = "version of the rule, so that stored results of another version are not used",
       .kind = Kind::integer,
       .range = at_least(0)},
  });
  return {.name = "custom",
          .summary = "a rule of your own, in a program that uses the library",
          .source = "the user",
          .parameters = kParameters,
          .takes_rule = true};
}

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
                                    const Value& shared, std::span<const OwnRule> rules) {
  const auto parts = parts_of(trim(text));
  StrategySpec spec;
  HOLDFAST_TRY(index, find_entry(parts.front(), table));
  spec.index = index;
  spec.shown = trim(text);
  const StrategyEntry& entry = table[index];
  if (entry.takes_rule && rules.empty()) {
    return fail(ErrorCode::usage, std::string(kWhere),
                fmt::format("'{}' takes its decisions from a program that uses the library, and "
                            "this one brings none (docs/own-strategies.md)",
                            entry.name));
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    HOLDFAST_CHECK(read_part(parts[i], i == 1, entry, spec.parameters));
  }
  for (const Parameter& parameter : entry.parameters) {
    const Value* value = shared.find(parameter.name);
    if (value == nullptr || spec.has(parameter.name)) continue;
    spec.parameters.set(parameter.name, *value);
    spec.shown += fmt::format(":{}={}", parameter.name, shown_value(parameter, *value));
  }
  HOLDFAST_CHECK(check_required(entry, spec.parameters));
  if (entry.takes_rule) HOLDFAST_CHECK(bring_rule(rules, spec));
  spec.text = canonical(entry, spec.parameters);
  fill_fallbacks(entry, spec.parameters);
  return spec;
}

Result<std::vector<StrategySpec>> parse_strategies(std::string_view text,
                                                   std::span<const StrategyEntry> table,
                                                   const Value& shared,
                                                   std::span<const OwnRule> rules) {
  std::vector<StrategySpec> specs;
  for (const std::string_view part : split(text, ',')) {
    HOLDFAST_TRY(spec, parse_strategy(part, table, shared, rules));
    for (const StrategySpec& other : specs) {
      if (other.text == spec.text) {
        return fail(ErrorCode::usage, std::string(kWhere),
                    fmt::format("{} is named twice", in_quotes(spec.text)));
      }
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace holdfast
