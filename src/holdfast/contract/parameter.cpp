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

// Texts go through the reader of documents: one set of rules and messages for both.
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

}  // namespace

std::string option_name(std::string_view name) {
  std::string out = "--" + std::string(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
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

}  // namespace holdfast
