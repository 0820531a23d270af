#include "holdfast/answers/asked/argument.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace holdfast {
namespace {

// Refuses a document that has something other than an object where the value of an argument has its parent.
Status check_parents(const Value& document, std::string_view pointer) {
  for (std::size_t end = 0; end != std::string_view::npos; end = pointer.find('/', end + 1)) {
    const Value* parent = document.at(pointer.substr(0, end));
    if (parent == nullptr) return {};
    if (!parent->is_null() && parent->members() == nullptr) {
      return fail(ErrorCode::bad_format, std::string(pointer.substr(0, end)),
                  fmt::format("found {}, expected an object", parent->described()));
    }
  }
  return {};
}

}  // namespace

std::string Argument::pointer() const {
  return parameter->pointer.empty() ? pointer_to("", parameter->name)
                                    : std::string(parameter->pointer);
}

Result<Value> read_argument(const Argument& argument) {
  const std::string* text = argument.given->string();
  if (text != nullptr && text->starts_with("--")) {
    return fail(ErrorCode::usage, argument.place,
                fmt::format("found the option {}, expected a value", *text));
  }
  auto read = read_parameter(*argument.parameter, *argument.given, argument.place);
  if (!read) return fail(ErrorCode::usage, read.error().where, read.error().message);
  return read;
}

Result<Value> values_of(std::span<const Argument> arguments) {
  Value out = Value::object();
  for (const Argument& argument : arguments) {
    if (!argument.given) continue;
    HOLDFAST_TRY(value, read_argument(argument));
    out.set(argument.parameter->name, std::move(value));
  }
  return out;
}

Status merge_into(Value& document, std::span<const Argument> arguments, bool files_from_here) {
  for (const Argument& argument : arguments) {
    if (!argument.given) continue;
    HOLDFAST_TRY(value, read_argument(argument));
    if (files_from_here && argument.parameter->kind == Kind::file && *value.string() != "-") {
      value = Value(std::filesystem::absolute(*value.string()).string());
    }
    HOLDFAST_CHECK(check_parents(document, argument.pointer()));
    document.set_at(argument.pointer(), std::move(value));
  }
  return {};
}

std::string given_at(std::span<const Argument> arguments, std::string_view pointer) {
  const Argument* best = nullptr;
  for (const Argument& argument : arguments) {
    if (!argument.given) continue;
    const std::string own = argument.pointer();
    const bool holds = pointer == own || (pointer.starts_with(own) && pointer[own.size()] == '/');
    if (holds && (best == nullptr || own.size() > best->pointer().size())) best = &argument;
  }
  return best == nullptr ? std::string() : best->place;
}

std::string writer_of(std::span<const Argument> arguments, std::string_view pointer,
                      bool or_inside) {
  if (pointer.empty()) return {};
  for (const Argument& argument : arguments) {
    if (argument.pointer() == pointer) return argument.place;
  }
  if (!or_inside) return {};
  const std::string inside = std::string(pointer) + '/';
  for (const Argument& argument : arguments) {
    if (argument.parameter->kind == Kind::number && argument.pointer().starts_with(inside)) {
      return argument.place;
    }
  }
  return {};
}

std::string named_as_given(std::string message, std::span<const Argument> arguments) {
  for (const Argument& argument : arguments) {
    const std::string quoted = in_quotes(argument.parameter->name);
    for (auto at = message.find(quoted); at != std::string::npos; at = message.find(quoted, at)) {
      message.replace(at, quoted.size(), argument.place);
      at += argument.place.size();
    }
  }
  return message;
}

bool is_absent(std::span<const Argument> arguments, std::string_view place) {
  return std::any_of(arguments.begin(), arguments.end(), [place](const Argument& argument) {
    return argument.place == place && !argument.given;
  });
}

}  // namespace holdfast
