#include "holdfast/campaign/typed_columns.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace holdfast {
namespace {

// Returns the end of a column's name, which needs no quotes in any program.
std::string_view suffix_of(Unit unit) {
  switch (unit) {
    case Unit::none:
      return "";
    case Unit::seconds:
      return "_s";
    case Unit::bytes:
      return "_B";
    case Unit::bytes_per_second:
      return "_B_per_s";
    case Unit::per_second:
      return "_per_s";
    case Unit::slots:
      return "_slots";
    case Unit::core_seconds:
      return "_core_s";
  }
  return "";
}

const Parameter* field_at(std::string_view pointer, std::span<const Parameter> fields) {
  const auto field = std::find_if(fields.begin(), fields.end(), [pointer](const Parameter& one) {
    if (!one.pointer.empty()) return one.pointer == pointer;
    return pointer.starts_with('/') && pointer.substr(1) == one.name;
  });
  return field == fields.end() ? nullptr : &*field;
}

bool is_quantity(const Parameter& field) {
  return field.kind == Kind::number || field.kind == Kind::integer || field.kind == Kind::numbers;
}

/// Returns the unit of all values of a column; nothing if one of them is not a number.
std::optional<Unit> unit_of_values(std::span<const Value* const> values, const Parameter* field) {
  if (values.empty() || (field != nullptr && !is_quantity(*field))) return std::nullopt;
  const auto all_are = [values](Unit unit) {
    return std::all_of(values.begin(), values.end(), [unit](const Value* value) {
      return value->is_number() ||
             (value->string() != nullptr && parse_quantity(*value->string(), unit));
    });
  };
  if (field != nullptr) return all_are(field->unit) ? std::optional(field->unit) : std::nullopt;
  // A plain number among values like "10d" is in seconds, as numbers of a campaign file are.
  for (const Unit unit : {Unit::none, Unit::seconds, Unit::bytes, Unit::bytes_per_second}) {
    if (all_are(unit)) return unit;
  }
  return std::nullopt;
}

// Returns the pointer to the value itself, or to each member that a table among the values has.
std::vector<std::string> pointers_of(const Axis& axis) {
  const bool are_tables =
      std::all_of(axis.values.begin(), axis.values.end(),
                  [](const Value& value) { return value.members() != nullptr; });
  if (!are_tables) return {""};
  std::vector<std::string> pointers;
  for (const Value& value : axis.values) {
    for (const auto& [name, member] : *value.members()) {
      std::string pointer = pointer_to("", name);
      if (std::find(pointers.begin(), pointers.end(), pointer) == pointers.end())
        pointers.push_back(std::move(pointer));
    }
  }
  return pointers;
}

TypedColumn column_of(std::span<const Axis> axes, std::size_t at, const std::string& pointer,
                      std::span<const Parameter> fields) {
  const Axis& axis = axes[at];
  const bool is_listed = axis.name == kPointsAxis;
  TypedColumn column;
  column.axis = at;
  column.pointer = pointer;
  column.parameter = is_listed ? pointer.substr(1) : axis.name + pointer;
  std::vector<const Value*> values;
  for (const Value& value : axis.values) {
    if (const Value* part = value.at(pointer)) values.push_back(part);
  }
  const Parameter* field =
      field_at(is_listed ? pointer : pointer_to("", axis.name) + pointer, fields);
  const auto unit = unit_of_values(values, field);
  column.is_number = unit.has_value();
  column.unit = unit.value_or(Unit::none);
  column.name = column.parameter;
  std::replace(column.name.begin(), column.name.end(), '/', '.');
  column.name += suffix_of(column.unit);
  return column;
}

}  // namespace

Value TypedColumn::value(std::span<const Value> parameters) const {
  const Value* found = parameters[axis].at(pointer);
  if (found == nullptr) return {};
  if (is_number && found->string() != nullptr) {
    if (const auto number = parse_quantity(*found->string(), unit)) return *number;
  }
  const bool is_plain = found->members() == nullptr && found->array_items() == nullptr;
  return is_plain ? *found : Value(to_compact_json(*found));
}

std::vector<TypedColumn> typed_columns(std::span<const Axis> axes,
                                       std::span<const Parameter> fields) {
  std::vector<TypedColumn> columns;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (const std::string& pointer : pointers_of(axes[i])) {
      columns.push_back(column_of(axes, i, pointer, fields));
    }
  }
  return columns;
}

}  // namespace holdfast
