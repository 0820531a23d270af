#include "holdfast/python/question.hpp"

#include "holdfast/answers/asked/option_hint.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

namespace holdfast::python {
namespace {

// Removes the underscore after a keyword of Python: from_.
std::string table_name(std::string name) {
  if (name.size() > 1 && name.back() == '_') name.pop_back();
  return name;
}

bool is_same(std::string_view table, std::string_view asked) {
  return std::equal(table.begin(), table.end(), asked.begin(), asked.end(),
                    [](char a, char b) { return a == b || (a == '-' && b == '_'); });
}

const Parameter* find(std::span<const Parameter> table, std::string_view name) {
  const auto row = std::find_if(table.begin(), table.end(), [&](const Parameter& parameter) {
    return is_same(parameter.name, name);
  });
  return row == table.end() ? nullptr : &*row;
}

bool is_unused(const Verb* verb, std::string_view name) {
  return verb != nullptr &&
         std::find(verb->unused.begin(), verb->unused.end(), name) != verb->unused.end();
}

// Throws what is wrong with a keyword that is none of those that are known.
[[noreturn]] void refuse_unknown(const std::string& place, std::span<const std::string> known) {
  throw Failure{
      {ErrorCode::usage, place, "unknown keyword" + unknown_option_hint(known, place, "")}};
}

// Returns true for a list or an object in place of one number: such a value is a part of the document, not an option. In place
// of a text an object is one of names and texts.
bool is_structure(const Parameter& parameter, const Value& value) {
  if (value.members() != nullptr) return parameter.kind != Kind::text;
  return value.array_items() != nullptr && parameter.kind != Kind::numbers;
}

}  // namespace

Value options_of(const Verb& verb, const py::dict& keywords) {
  std::vector<Argument> out;
  for (const auto& [key, given] : keywords) {
    const std::string name = table_name(utf8_text(key, ""));
    const Parameter* row = verb.option(name);
    if (row == nullptr) {
      const auto known = verb.option_names();
      refuse_unknown(option_name(name), std::vector<std::string>(known.begin(), known.end()));
    }
    if (given.is_none()) continue;
    Value value = to_value(given, option_name(name));
    // Times and units are read as they were typed, because their allowed values depend on the file.
    if (row->kind == Kind::text && value.is_number()) value = to_compact_json(value);
    out.push_back({.parameter = row, .place = option_name(name), .given = std::move(value)});
  }
  return value_or_throw(values_of(out));
}

Question::Question(const Domain& domain, const Verb* verb) : domain_{&domain}, verb_{verb} {
  asked_.domain = domain_;
  if (verb_ != nullptr && !verb_->takes_instance) return;
  for (const Parameter& field : domain_->fields) {
    if (is_unused(verb_, field.name)) continue;
    if (verb_ != nullptr && find(verb_->options, field.name) != nullptr) continue;
    asked_.arguments.push_back(
        {.parameter = &field, .place = option_name(field.name), .given = {}});
  }
}

void Question::set_instance(py::handle instance) {
  if (instance.is_none()) return;
  if (verb_ != nullptr && !verb_->takes_instance) {
    throw Failure{{ErrorCode::usage, "instance=",
                   fmt::format("'{} {}' takes no instance", domain_->name, verb_->name)}};
  }
  if (!PyDict_Check(instance.ptr()) && py::hasattr(instance, "__fspath__")) {
    asked_.file = utf8_text(py::str(instance.attr("__fspath__")()), "instance=");
    std::error_code ignored;
    if (!std::filesystem::exists(asked_.file, ignored)) {
      throw Failure{no_such_instance(asked_.file, domain_->fields)};
    }
    return;
  }
  Value document = to_value(instance, "instance=");
  if (document.members() == nullptr) {
    throw Failure{{ErrorCode::usage, "instance=",
                   fmt::format("found {}, expected a mapping or a path", document.described())}};
  }
  asked_.in_memory = std::move(document);
}

void Question::set_positionals(const py::sequence& positionals) {
  const auto table = verb_ == nullptr ? std::span<const Parameter>() : verb_->positionals;
  const std::size_t count = positionals.size();
  const bool takes_more = !table.empty() && table.back().kind == Kind::texts;
  if (count > table.size() && !takes_more) {
    const std::string what =
        fmt::format("{} {}", domain_->name, verb_ == nullptr ? "simulate" : verb_->name);
    throw Failure{
        {ErrorCode::usage, "",
         fmt::format("found {}, '{}' expects {}; an instance is a mapping or a pathlib.Path",
                     counted(count, "text"), what,
                     table.empty() ? "none" : "at most " + counted(table.size(), "text"))}};
  }
  const std::size_t single = std::min(count, table.size() - (takes_more ? 1 : 0));
  for (std::size_t i = 0; i < single; ++i) {
    const py::object item = positionals[i];
    add(own_, table[i], to_value(item, table[i].name));
  }
  if (single == count) return;
  Value rest = Value::array();
  for (std::size_t i = single; i < count; ++i) {
    const py::object item = positionals[i];
    rest.push(to_value(item, table.back().name));
  }
  add(own_, table.back(), std::move(rest));
}

void Question::add(std::vector<Argument>& list, const Parameter& parameter, Value value) {
  // A flag that is false counts as not given.
  const bool* flag = value.boolean();
  if (parameter.kind == Kind::flag && flag != nullptr && !*flag && &list != &asked_.arguments)
    return;
  list.push_back(
      {.parameter = &parameter, .place = option_name(parameter.name), .given = std::move(value)});
}

void Question::add_member(std::string_view pointer, Value value) {
  members_.emplace_back(std::string(pointer), std::move(value));
}

bool Question::give(const std::string& name, py::handle given) {
  const std::string place = option_name(name);
  if (verb_ != nullptr) {
    if (const Parameter* row = verb_->option(name)) {
      add(own_, *row, to_value(given, place));
      return true;
    }
  }
  for (Argument& argument : asked_.arguments) {
    if (!is_same(argument.parameter->name, name)) continue;
    Value value = to_value(given, place);
    if (is_structure(*argument.parameter, value)) {
      add_member(argument.pointer(), std::move(value));
    } else {
      argument.given = std::move(value);
    }
    return true;
  }
  if (verb_ == nullptr || verb_->takes_strategy) {
    for (const StrategyEntry& entry : domain_->strategies) {
      if (entry.takes_rule) continue;
      if (const Parameter* row = find(entry.parameters, name)) {
        add(shared_, *row, to_value(given, place));
        return true;
      }
    }
  }
  return false;
}

std::vector<std::string> Question::known_keywords() const {
  std::vector<std::string> known;
  if (verb_ != nullptr) {
    for (const std::string_view name : verb_->option_names()) known.emplace_back(name);
  }
  for (const Argument& argument : asked_.arguments) known.emplace_back(argument.parameter->name);
  return known;
}

void Question::set_keywords(const py::dict& keywords) {
  for (const auto& [key, given] : keywords) {
    if (given.is_none()) continue;
    const std::string name = table_name(utf8_text(key, ""));
    if (give(name, given)) continue;
    const bool takes_instance = verb_ == nullptr || verb_->takes_instance;
    if (!takes_instance) refuse_unknown(option_name(name), known_keywords());
    add_member(pointer_to("", name), to_value(given, option_name(name)));
  }
}

AskedInstance::Input Question::read() {
  if (verb_ != nullptr && !verb_->takes_instance) return {};
  AskedInstance::Input input = value_or_throw(asked_.read());
  for (const auto& [pointer, value] : members_) {
    // The value of a whole member does not replace the values of its parts that other keywords gave.
    Value before;
    if (const Value* there = input.document.at(pointer)) before = *there;
    input.document.set_at(pointer, value);
    if (before.members() == nullptr || value.members() == nullptr) continue;
    for (const auto& [name, part] : *before.members()) {
      input.document.set_at(pointer_to(pointer, name), part);
    }
  }
  return input;
}

Value Question::options() const {
  return value_or_throw(values_of(own_));
}

Value Question::shared() const {
  return value_or_throw(values_of(shared_));
}

void Question::refuse(Error error, const Value& document) const {
  // The error is about a member that a keyword gave as a whole.
  for (const auto& [pointer, value] : members_) {
    const bool is_inside = error.where.starts_with(pointer + "/");
    if (error.where != pointer && !is_inside) continue;
    const std::string rest = error.where.substr(pointer.size());
    const std::string place = option_name(pointer.substr(1));
    error.where = place + (is_inside ? " " + rest : "");
    const bool is_unknown = !is_inside && error.message.starts_with("unknown field");
    if (is_unknown && !unknown_option_hint(known_keywords(), place).empty()) {
      refuse_unknown(place, known_keywords());
    }
    throw Failure{std::move(error)};
  }
  error = asked_.placed(std::move(error), document);
  // What is missing may have been given by another name.
  for (const auto& [pointer, value] : members_) {
    const std::string place = option_name(pointer.substr(1));
    if (meant_option(known_keywords(), place) == error.where) {
      refuse_unknown(place, known_keywords());
    }
  }
  std::string remedy;
  if (asked_.is_lacking(error)) {
    remedy = "give the instance as keywords, or as a mapping or a pathlib.Path in first place";
  }
  throw Failure{std::move(error), std::move(remedy)};
}

}  // namespace holdfast::python
