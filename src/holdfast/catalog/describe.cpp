#include "holdfast/catalog/describe.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/speedup/speedup.hpp"
#include "holdfast/traces/formats.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

void set_text(Value& object, std::string_view name, std::string_view text) {
  if (!text.empty()) object.set(name, text);
}

void set_flag(Value& object, std::string_view name, bool flag) {
  if (flag) object.set(name, true);
}

void set_range(Value& object, const Range& range) {
  if (std::isfinite(range.minimum)) object.set("minimum", range.minimum);
  if (std::isfinite(range.maximum)) object.set("maximum", range.maximum);
  set_flag(object, "above_minimum", range.above_minimum);
  set_flag(object, "below_maximum", range.below_maximum);
}

Value described(const Parameter& parameter) {
  Value out = Value::object({{"name", parameter.name}, {"summary", parameter.summary}});
  out.set("kind", name(parameter.kind));
  set_text(out, "unit", symbol(parameter.unit));
  set_text(out, "default", parameter.fallback);
  if (!parameter.choices.empty()) out.set("choices", Value::list(parameter.choices));
  set_range(out, parameter.range);
  set_text(out, "pointer", parameter.pointer);
  set_flag(out, "required", parameter.is_required);
  return out;
}

template <class Range, class Describe>
Value listed(const Range& range, const Describe& describe) {
  Value out = Value::array();
  for (const auto& item : range) out.push(describe(item));
  return out;
}

void set_parameters(Value& object, std::string_view name, std::span<const Parameter> parameters) {
  if (!parameters.empty()) object.set(name, listed(parameters, described));
}

Value described(const StrategyEntry& strategy) {
  Value out = Value::object({{"name", strategy.name}, {"summary", strategy.summary}});
  set_text(out, "source", strategy.source);
  set_flag(out, "is_bound", strategy.is_bound);
  set_parameters(out, "parameters", strategy.parameters);
  return out;
}

Value described(const Metric& metric) {
  Value out = Value::object({{"name", metric.name}, {"summary", metric.summary}});
  set_text(out, "unit", symbol(metric.unit));
  out.set("better", name(metric.better));
  set_text(out, "numerator", metric.numerator);
  set_text(out, "denominator", metric.denominator);
  set_text(out, "bounds", metric.bounds);
  return out;
}

Value described(const TimelineColumn& column) {
  Value out = Value::object({{"name", column.name}});
  set_text(out, "unit", symbol(column.unit));
  out.set("role", name(column.role));
  return out;
}

Value described(const ResultField& field);

Value described(std::span<const ResultField> fields) {
  return listed(fields, [](const ResultField& field) { return described(field); });
}

Value described(const ResultField& field) {
  constexpr auto kHolds = std::to_array<std::string_view>(
      {"number", "integer", "flag", "text", "number or text", "object", "anything"});
  Value out = Value::object({{"name", field.path},
                             {"summary", field.summary},
                             {"kind", kHolds[static_cast<std::size_t>(field.holds)]}});
  set_text(out, "unit", symbol(field.unit));
  if (!field.members.empty()) out.set("members", described(field.members));
  return out;
}

Value described(const Verb& verb) {
  Value out =
      Value::object({{"name", verb.name}, {"summary", verb.summary}, {"example", verb.example}});
  set_flag(out, "takes_instance", verb.takes_instance);
  set_flag(out, "takes_strategy", verb.takes_strategy);
  set_flag(out, "takes_seed", verb.takes_seed);
  set_flag(out, "has_schedule", verb.has_schedule);
  set_flag(out, "writes_instance", verb.gives == Gives::instance);
  if (!verb.unused.empty()) out.set("unused", Value::list(verb.unused));
  set_parameters(out, "options", verb.options);
  set_parameters(out, "positionals", verb.positionals);
  if (!verb.results.empty()) out.set("results", described(verb.results));
  return out;
}

Value described(const DecisionField& field) {
  Value out = Value::object({{"name", field.name}, {"summary", field.summary}});
  set_text(out, "unit", symbol(field.unit));
  set_flag(out, "per_item", field.per_item);
  return out;
}

Value described(const DecisionTable& decision) {
  Value out = Value::object({{"name", decision.name}, {"when", decision.when}});
  set_text(out, "items", decision.items);
  const auto set_fields = [&](std::string_view name, std::span<const DecisionField> fields) {
    if (fields.empty()) return;
    out.set(name, listed(fields, [](const DecisionField& field) { return described(field); }));
  };
  set_fields("told", decision.told);
  set_fields("asked", decision.asked);
  set_fields("curves", decision.curves);
  set_flag(out, "is_list", decision.is_list);
  return out;
}

Value described(const LawEntry& law) {
  return Value::object({{"name", law.name}, {"summary", law.summary}, {"fields", law.fields}});
}

Value described(const Format& format) {
  return Value::object(
      {{"name", format.name}, {"summary", format.summary}, {"holds", format.kind()}});
}

}  // namespace

Value describe(std::span<const ResultField> results) {
  return described(results);
}

std::string_view name(Kind kind) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"number", "integer", "flag", "choice", "text", "numbers", "file", "texts"});
  return kNames[static_cast<std::size_t>(kind)];
}

Value describe(const Domain& domain) {
  Value out = Value::object({{"name", domain.name}, {"question", domain.question}});
  set_text(out, "example", domain.example);
  set_text(out, "recommended", domain.recommended);
  set_text(out, "baseline", domain.baseline);
  set_parameters(out, "fields", domain.fields);
  const auto all = [](const auto& rows) {
    return listed(rows, [](const auto& row) { return described(row); });
  };
  Value strategies = Value::array();
  for (const StrategyEntry& entry : domain.strategies) {
    if (!entry.takes_rule) strategies.push(described(entry));  // `decision` describes the others
  }
  out.set("strategies", std::move(strategies));
  out.set("metrics", all(domain.metrics));
  out.set("schedule", all(domain.schedule));
  out.set("verbs", all(domain.verbs));
  if (!domain.decision.is_empty()) out.set("decision", described(domain.decision));
  return out;
}

Value describe(std::span<const Domain* const> known) {
  Value out = Value::object({{"holdfast", Value::object({{"kind", "catalog"}, {"version", 1}})}});
  out.set("domains", listed(known, [](const Domain* domain) { return describe(*domain); }));
  out.set("laws", listed(laws(), [](const LawEntry& law) { return described(law); }));
  out.set("speedups", Value::list(speedup_model_names()));
  out.set("formats", listed(formats(), [](const Format& format) { return described(format); }));
  return out;
}

std::string described_text(const Value& document, std::string_view member) {
  const Value* text = document.find(member);
  return text == nullptr ? std::string() : *text->string();
}

}  // namespace holdfast
