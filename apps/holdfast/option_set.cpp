#include "holdfast/option_set.hpp"

#include "holdfast/base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace holdfast::cli {

namespace {

// The name of a validator that accepts everything: it marks options whose reader refuses an empty value.
constexpr const char* kRefusesEmpty = "refuses empty";

std::string any_text(const std::string& /*text*/) {
  return {};
}

}  // namespace

struct OptionSet::Entry {
  const Parameter* parameter = nullptr;
  std::string place;  // "--work", or the positional's name, for messages
  std::string text;
  bool flag = false;
  CLI::Option* option = nullptr;

  [[nodiscard]] bool is_given() const { return option->count() > 0; }
  [[nodiscard]] std::string pointer() const {
    return parameter->pointer.empty() ? pointer_to("", parameter->name)
                                      : std::string(parameter->pointer);
  }
  [[nodiscard]] Result<Value> value() const;
};

Result<Value> OptionSet::Entry::value() const {
  if (parameter->kind == Kind::flag) return Value(flag);
  if (text.starts_with("--")) {
    return fail(ErrorCode::usage, place,
                fmt::format("found the option {}, expected a value", text));
  }
  auto parsed = parse_parameter(*parameter, text, place);
  if (!parsed) return fail(ErrorCode::usage, parsed.error().where, parsed.error().message);
  return parsed;
}

namespace {

// What an option writes lies in an object: a document that has something else there is wrong.
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

bool OptionSet::refuses_empty(CLI::Option& option) {
  try {
    return option.get_validator(kRefusesEmpty) != nullptr;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

OptionSet::OptionSet() = default;
OptionSet::~OptionSet() = default;

void OptionSet::add(CLI::App& command, std::span<const Parameter> parameters,
                    const std::string& group, std::span<const std::string_view> left_out) {
  for (const Parameter& parameter : parameters) {
    if (std::find(left_out.begin(), left_out.end(), parameter.name) != left_out.end()) continue;
    const std::string name = option_name(parameter.name);
    if (command.get_option_no_throw(name) != nullptr) continue;
    auto entry = std::make_unique<Entry>();
    entry->parameter = &parameter;
    entry->place = name;
    if (parameter.kind == Kind::flag) {
      entry->option = command.add_flag(name, entry->flag, help_text(parameter));
    } else {
      entry->option = command.add_option(name, entry->text, help_text(parameter));
      entry->option->type_name(value_name(parameter));
      if (parameter.kind != Kind::text) entry->option->check(any_text, "", kRefusesEmpty);
    }
    entry->option->group(parameter.heading.empty() ? group : std::string(parameter.heading));
    entries_.push_back(std::move(entry));
  }
}

void OptionSet::add_positionals(CLI::App& command, std::span<const Parameter> parameters) {
  for (const Parameter& parameter : parameters) {
    auto entry = std::make_unique<Entry>();
    entry->parameter = &parameter;
    entry->place = parameter.name;
    entry->option =
        command.add_option(std::string(parameter.name), entry->text, help_text(parameter));
    entry->option->type_name(value_name(parameter));
    entries_.push_back(std::move(entry));
  }
}

Result<Value> OptionSet::values() const {
  Value out = Value::object();
  for (const auto& entry : entries_) {
    if (!entry->is_given()) continue;
    HOLDFAST_TRY(value, entry->value());
    out.set(entry->parameter->name, std::move(value));
  }
  return out;
}

Status OptionSet::merge_into(Value& document, bool files_from_here) const {
  for (const auto& entry : entries_) {
    if (!entry->is_given()) continue;
    HOLDFAST_TRY(value, entry->value());
    if (files_from_here && entry->parameter->kind == Kind::file) {
      value = Value(std::filesystem::absolute(entry->text).string());
    }
    HOLDFAST_CHECK(check_parents(document, entry->pointer()));
    document.set_at(entry->pointer(), std::move(value));
  }
  return {};
}

std::string OptionSet::given_at(std::string_view pointer) const {
  const Entry* best = nullptr;
  for (const auto& entry : entries_) {
    if (!entry->is_given()) continue;
    const std::string own = entry->pointer();
    const bool holds = pointer == own || (pointer.starts_with(own) && pointer[own.size()] == '/');
    if (holds && (best == nullptr || own.size() > best->pointer().size())) best = entry.get();
  }
  return best == nullptr ? std::string() : best->place;
}

std::string OptionSet::writer_of(std::string_view pointer, bool or_inside) const {
  if (pointer.empty()) return {};
  for (const auto& entry : entries_) {
    if (entry->pointer() == pointer) return entry->place;
  }
  if (!or_inside) return {};
  const std::string inside = std::string(pointer) + '/';
  for (const auto& entry : entries_) {
    if (entry->parameter->kind == Kind::number && entry->pointer().starts_with(inside)) {
      return entry->place;
    }
  }
  return {};
}

bool OptionSet::is_absent(std::string_view option) const {
  return std::any_of(entries_.begin(), entries_.end(), [option](const auto& entry) {
    return entry->place == option && !entry->is_given();
  });
}

std::vector<std::string_view> OptionSet::given() const {
  std::vector<std::string_view> names;
  for (const auto& entry : entries_) {
    if (entry->is_given()) names.push_back(entry->parameter->name);
  }
  return names;
}

std::string value_name(const Parameter& parameter) {
  if (!parameter.value_name.empty()) return std::string(parameter.value_name);
  const auto of_unit = [&parameter]() -> std::string {
    switch (parameter.unit) {
      case Unit::seconds:
        return "DURATION";
      case Unit::bytes:
        return "SIZE";
      case Unit::bytes_per_second:
        return "BANDWIDTH";
      case Unit::per_second:
        return "RATE";
      case Unit::slots:
      case Unit::core_seconds:
      case Unit::none:
        return "X";
    }
    return "X";
  };
  switch (parameter.kind) {
    case Kind::number:
      return of_unit();
    case Kind::integer:
      return "N";
    case Kind::choice:
      return join(parameter.choices, "|");
    case Kind::text:
      return "TEXT";
    case Kind::file:
      return "FILE";
    case Kind::numbers:
      return of_unit() + ",...";
    case Kind::flag:
      return {};
  }
  return {};
}

std::string help_text(const Parameter& parameter) {
  std::string text(parameter.summary);
  if (!parameter.fallback.empty()) text += fmt::format(" (default {})", parameter.fallback);
  return text;
}

}  // namespace holdfast::cli
