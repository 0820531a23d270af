#include "holdfast/option_set.hpp"

#include "holdfast/base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace holdfast::cli {

namespace {

// The name of a validator that accepts everything: it marks options whose reader refuses an empty value.
constexpr const char* kRefusesEmpty = "refuses empty";

std::string any_text(const std::string& /*text*/) {
  return {};
}

}  // namespace

std::string names_of(const std::string& option) {
  return option == "--output" ? "-o," + option : option;
}

struct OptionSet::Entry {
  const Parameter* parameter = nullptr;
  std::string place;  // "--work", or the name of the positional argument, for messages
  std::string text;
  std::vector<std::string> texts;
  bool flag = false;
  CLI::Option* option = nullptr;
};

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
    const std::string names = names_of(name);
    auto entry = std::make_unique<Entry>();
    entry->parameter = &parameter;
    entry->place = name;
    if (parameter.kind == Kind::flag) {
      entry->option = command.add_flag(names, entry->flag, help_text(parameter));
    } else if (parameter.kind == Kind::texts) {  // one text each time that the option is given
      entry->option = command.add_option(names, entry->texts, help_text(parameter));
      entry->option->expected(1)->allow_extra_args(false)->take_all();
      entry->option->type_name(value_name(parameter));
    } else {
      entry->option = command.add_option(names, entry->text, help_text(parameter));
      entry->option->type_name(value_name(parameter));
      if (parameter.kind != Kind::text) entry->option->check(any_text, "", kRefusesEmpty);
    }
    const std::string_view heading = parameter.heading;
    entry->option->group(heading.empty()             ? group
                         : heading == kHiddenHeading ? std::string()
                                                     : std::string(heading));
    entries_.push_back(std::move(entry));
  }
}

void OptionSet::add_positionals(CLI::App& command, std::span<const Parameter> parameters) {
  for (const Parameter& parameter : parameters) {
    auto entry = std::make_unique<Entry>();
    entry->parameter = &parameter;
    entry->place = parameter.name;
    const std::string name(parameter.name);
    entry->option = parameter.kind == Kind::texts
                        ? command.add_option(name, entry->texts, help_text(parameter))
                        : command.add_option(name, entry->text, help_text(parameter));
    entry->option->type_name(value_name(parameter));
    entries_.push_back(std::move(entry));
  }
}

std::vector<Argument> OptionSet::arguments() const {
  std::vector<Argument> out;
  out.reserve(entries_.size());
  for (const auto& entry : entries_) {
    Argument& argument = out.emplace_back(
        Argument{.parameter = entry->parameter, .place = entry->place, .given = {}});
    if (entry->option->count() == 0) continue;
    switch (entry->parameter->kind) {
      case Kind::flag:
        argument.given = Value(entry->flag);
        break;
      case Kind::texts:
        argument.given = Value::list(entry->texts);
        break;
      default:
        argument.given = Value(entry->text);
    }
  }
  return out;
}

void add_words(CLI::App& command, std::vector<std::string>& words) {
  command.add_option("command", words, "the program and its arguments, after --")
      ->type_name(std::string(kProgram))
      ->expected(1, -1);
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
    case Kind::texts:
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
