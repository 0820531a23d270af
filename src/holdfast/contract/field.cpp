#include "holdfast/contract/field.hpp"

#include "holdfast/base/text.hpp"

namespace holdfast::detail {

std::string shown_default(const Parameter& field, const Value& value) {
  if (value.is_null() || value.array_items() != nullptr) return {};
  if (const bool* flag = value.boolean()) return *flag ? "true" : "";
  if (const std::string* text = value.string()) return *text;
  if (!field.range.contains(value.number())) return {};
  return exact_text(value.number(), field.unit);
}

Status check_field(const Parameter& field, const Value& value) {
  if (value.is_null() || value.boolean() != nullptr || value.string() != nullptr) return {};
  // A document with this field alone, so that the message is the one that its reader gives.
  const Value document = Value::object({{std::string(field.name), value}});
  ObjectReader read(document, "");
  if (value.array_items() != nullptr) {
    static_cast<void>(read.numbers(field.name, field.unit, field.range));
  } else if (field.kind == Kind::integer) {
    static_cast<void>(read.integer(field.name, field.range));
  } else {
    static_cast<void>(read.quantity(field.name, field.unit, field.range));
  }
  return read.finish();
}

}  // namespace holdfast::detail
