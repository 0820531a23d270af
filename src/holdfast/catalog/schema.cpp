#include "holdfast/catalog/schema.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/contract/document_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

constexpr auto kSaid = std::to_array<ResultField>(
    {{"problem?", "the line that names the problem", Holds::text},
     {"verdict?[]", "the sentences of the answer, whose wording may change", Holds::text}});

// Adds a type to those that a value may have.
void add_type(Value& schema, std::string_view type) {
  Value* known = schema.find("type");
  if (known == nullptr) {
    schema.set("type", type);
    return;
  }
  if (known->array_items() == nullptr) *known = Value(Value::Array{*known});
  Value::Array& types = *known->array_items();
  if (std::ranges::find(types, Value(type)) == types.end()) types.emplace_back(type);
  if (types.size() == 1) *known = Value(types.front());
}

Value& opened(Value& object, std::string_view name, Value empty) {
  Value* found = object.find(name);
  return found != nullptr ? *found : object.set(name, std::move(empty));
}

/// The schema of a member, and that of its elements if it is a list.
struct Place {
  Value* member;
  Value* element;
};

// Returns the place of one step of a path within an object: "name", "name?", "name[]", "*", or "[]" for the document itself.
Place step_into(Value& object, std::string_view step) {
  std::size_t lists = 0;
  for (; step.ends_with("[]"); step.remove_suffix(2)) ++lists;
  const bool may_lack = step.ends_with('?');
  if (may_lack) step.remove_suffix(1);
  Value* member = &object;
  if (!step.empty()) add_type(object, "object");
  if (step == "*") {
    member = &opened(object, "additionalProperties", Value::object());
  } else if (!step.empty()) {
    const Value* known = object.find("properties");
    if (!may_lack && (known == nullptr || known->find(step) == nullptr)) {
      opened(object, "required", Value::array()).push(step);
    }
    member = &opened(opened(object, "properties", Value::object()), step, Value::object());
  }
  Value* element = member;
  for (; lists > 0; --lists) {
    add_type(*element, "array");
    element = &opened(*element, "items", Value::object());
  }
  return {member, element};
}

Place place_of(Value& object, std::string_view path) {
  Place place{&object, &object};
  for (const std::string_view step : split(path, '.')) place = step_into(*place.element, step);
  return place;
}

void describe(Value& schema, std::string_view summary, Unit unit) {
  if (schema.find("description") == nullptr) schema.set("description", summary);
  if (unit != Unit::none) schema.set("unit", symbol(unit));
}

void add_member(Value& object, const ResultField& field);

void set_holds(Value& schema, const ResultField& field) {
  switch (field.holds) {
    case Holds::number:
      return add_type(schema, "number");
    case Holds::integer:
      return add_type(schema, "integer");
    case Holds::flag:
      return add_type(schema, "boolean");
    case Holds::text:
      return add_type(schema, "string");
    case Holds::number_or_text:
      add_type(schema, "number");
      return add_type(schema, "string");
    case Holds::object:
      add_type(schema, "object");
      if (field.members.empty()) schema.set("additionalProperties", true);
      for (const ResultField& member : field.members) add_member(schema, member);
      return;
    case Holds::anything:
      return;
  }
}

void add_member(Value& object, const ResultField& field) {
  const Place place = place_of(object, field.path);
  set_holds(*place.element, field);
  describe(*place.member, field.summary, field.unit);  // last, because it may move the element
}

void add_members(Value& object, std::span<const ResultField> fields) {
  for (const ResultField& field : fields) add_member(object, field);
}

// Adds a field of an instance. It may also be given in another form, which the domain describes.
void add_field(Value& object, const Parameter& field) {
  std::string path = std::string(field.pointer.empty() ? field.name : field.pointer.substr(1));
  for (std::size_t at = 0; (at = path.find('/', at)) != std::string::npos; at += 2) {
    path.replace(at, 1, "?.");
  }
  const bool is_list = field.kind == Kind::numbers || field.kind == Kind::texts;
  const Place place = place_of(object, path + (is_list ? "?[]" : "?"));
  constexpr auto kTypes = std::to_array<std::string_view>(
      {"number", "integer", "boolean", "string", "string", "number", "string", "string"});
  add_type(*place.element, kTypes[static_cast<std::size_t>(field.kind)]);
  if (!field.choices.empty()) place.element->set("enum", Value::list(field.choices));
  describe(*place.member, field.summary, field.unit);
}

constexpr auto kHeaderIfAny =
    std::to_array<ResultField>({{"holdfast?.kind", "what the document is", Holds::text},
                                {"holdfast?.version", "version of that kind", Holds::integer}});

void add_instance(Value& object, const Domain& domain) {
  add_members(object, kHeaderIfAny);
  add_members(object, domain.document);
  for (const Parameter& field : domain.fields) add_field(object, field);
}

// Adds what simulate says of this domain: its metrics, the details of its runs, and its instance.
void add_results(Value& schema, const Domain& domain) {
  const Place results = place_of(schema, "results[]");
  Value& metrics = *place_of(*results.element, "metrics").element;
  const Value statistics = *metrics.find("additionalProperties");
  metrics.erase("additionalProperties");
  for (const Metric& metric : domain.metrics) {
    Value one = statistics;
    one.set("description", metric.summary);
    if (metric.unit != Unit::none) one.set("unit", symbol(metric.unit));
    *place_of(metrics, std::string(metric.name) + '?').member = std::move(one);
  }
  add_members(*results.element, domain.details);
  Value& instance = *place_of(schema, "instance").element;
  instance.erase("additionalProperties");
  add_instance(instance, domain);
}

}  // namespace

Value schema_of(std::span<const ResultField> members) {
  Value out = Value::object({{"$schema", kDialect}});
  add_members(out, members);
  return out;
}

Value schema_of(const Domain* domain, const Verb& verb) {
  Value out = Value::object({{"$schema", kDialect},
                             {"title", fmt::format("holdfast {} --json", command_of(domain, verb))},
                             {"description", verb.summary}});
  if (verb.gives == Gives::instance) {
    add_members(out, kHeaderMembers);
    if (domain != nullptr) add_instance(out, *domain);
  } else {
    add_members(out, kSaid);
  }
  add_members(out, verb.results);
  if (domain != nullptr && verb.name == "simulate") add_results(out, *domain);
  return out;
}

}  // namespace holdfast
