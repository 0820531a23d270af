#include "holdfast/contract/parameter.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {
namespace {

Result<Value> parse_flag(std::string_view text, std::string_view where) {
  if (text == "true" || text.empty()) return Value(true);
  if (text == "false") return Value(false);
  return fail(ErrorCode::bad_value, std::string(where),
              fmt::format("found {}, expected true or false", in_quotes(text)));
}

Result<Value> parse_choice(const Parameter& parameter, std::string_view text,
                           std::string_view where) {
  const auto& choices = parameter.choices;
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return Value(text);
  return fail(ErrorCode::bad_value, std::string(where),
              fmt::format("found {}, expected one of {}", in_quotes(text), join(choices, ", ")));
}

// Reads a text with the reader of documents, so that both have one set of rules and messages.
Result<Value> parse_number(const Parameter& parameter, std::string_view text,
                           std::string_view where) {
  if (text.find(',') != std::string_view::npos) {
    return fail(
        ErrorCode::bad_value, std::string(where),
        fmt::format("found {}, expected one {}; 'holdfast run CAMPAIGN.toml' sweeps several",
                    in_quotes(text), parameter.kind == Kind::integer ? "whole number" : "number"));
  }
  if (parameter.kind == Kind::integer) {
    HOLDFAST_TRY(whole, read_integer(Value(text), where, parameter.range));
    return Value(whole);
  }
  HOLDFAST_TRY(number, read_quantity(Value(text), where, parameter.unit, parameter.range));
  return Value(number);
}

Error refused(const Value& value, std::string_view where, std::string_view expected) {
  return {ErrorCode::bad_value, std::string(where),
          fmt::format("found {}, expected {}", value.described(), expected)};
}

// Reads an array of numbers, or a single one: "3" is a list on the command line too.
Result<Value> read_numbers(const Parameter& parameter, const Value& value, std::string_view where) {
  Value::Array items;
  if (value.array_items() == nullptr) {
    HOLDFAST_TRY(number, read_quantity(value, where, parameter.unit, parameter.range));
    items.emplace_back(number);
    return Value(std::move(items));
  }
  for (std::size_t i = 0; i < value.array_items()->size(); ++i) {
    const Value& item = (*value.array_items())[i];
    HOLDFAST_TRY(number,
                 read_quantity(item, pointer_to(where, i), parameter.unit, parameter.range));
    items.emplace_back(number);
  }
  return Value(std::move(items));
}

Result<Value> read_texts(const Value& value, std::string_view where) {
  const Value::Array* items = value.array_items();
  if (items == nullptr) return fail(refused(value, where, "a list of texts"));
  for (const Value& item : *items) {
    if (item.string() == nullptr) return fail(refused(item, where, "a text"));
  }
  return value;
}

}  // namespace

std::string option_name(std::string_view name) {
  std::string out = "--" + std::string(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

Error as_option(std::string_view name, Error error) {
  if (error.where.starts_with('/') && std::string_view(error.where).substr(1).starts_with(name)) {
    error.where.replace(0, name.size() + 1, option_name(name));
  }
  return error;
}

Result<Value> parse_parameter(const Parameter& parameter, std::string_view text,
                              std::string_view where) {
  switch (parameter.kind) {
    case Kind::number:
    case Kind::integer:
      return parse_number(parameter, text, where);
    case Kind::flag:
      return parse_flag(text, where);
    case Kind::choice:
      return parse_choice(parameter, text, where);
    case Kind::text:
    case Kind::file:
      return Value(text);
    case Kind::texts:
      return Value(Value::Array{Value(text)});
    case Kind::numbers:
      break;
  }
  Value::Array items;
  for (const std::string_view part : split(text, ',')) {
    HOLDFAST_TRY(number, read_quantity(Value(part), where, parameter.unit, parameter.range));
    items.emplace_back(number);
  }
  return Value(std::move(items));
}

namespace {

/// Returns names and texts as on the command line: "node=Host,up='Back at'".
Result<Value> pairs_as_text(const Value::Object& pairs, const Value& whole,
                            std::string_view where) {
  std::string out;
  for (const auto& [name, value] : pairs) {
    std::int64_t number = 0;
    const bool is_number = value.get_integer(number);
    if (value.string() == nullptr && !is_number) return fail(refused(whole, where, "a text"));
    const std::string text = is_number ? std::to_string(number) : *value.string();
    const char quote = text.find('\'') == text.npos ? '\'' : '"';
    out.append(out.empty() ? "" : ",").append(name).append("=");
    out.append(1, quote).append(text).append(1, quote);
  }
  return Value(std::move(out));
}

}  // namespace

Result<Value> read_parameter(const Parameter& parameter, const Value& value,
                             std::string_view where) {
  if (const std::string* text = value.string()) return parse_parameter(parameter, *text, where);
  switch (parameter.kind) {
    case Kind::number: {
      HOLDFAST_TRY(number, read_quantity(value, where, parameter.unit, parameter.range));
      return Value(number);
    }
    case Kind::integer: {
      HOLDFAST_TRY(whole, read_integer(value, where, parameter.range));
      return Value(whole);
    }
    case Kind::flag:
      if (value.boolean() != nullptr) return value;
      return fail(refused(value, where, "true or false"));
    case Kind::choice:
      return fail(refused(value, where, "one of " + join(parameter.choices, ", ")));
    case Kind::text:
      if (const auto* members = value.members()) return pairs_as_text(*members, value, where);
      return fail(refused(value, where, "a text"));
    case Kind::file:
      return fail(refused(value, where, "the path of a file"));
    case Kind::texts:
      return read_texts(value, where);
    case Kind::numbers:
      break;
  }
  return read_numbers(parameter, value, where);
}

}  // namespace holdfast
