#include "cli/schema_faults.hpp"

#include "holdfast/base/text.hpp"

#include <algorithm>
#include <string_view>

namespace holdfast::cli {
namespace {

bool is_of_type(const Value& value, std::string_view type) {
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number() && value.is_integer();
  if (type == "boolean") return value.boolean() != nullptr;
  if (type == "string") return value.string() != nullptr;
  if (type == "array") return value.array_items() != nullptr;
  return type == "object" && value.members() != nullptr;
}

bool has_type(const Value& value, const Value& types) {
  if (types.array_items() == nullptr) return is_of_type(value, *types.string());
  return std::ranges::any_of(*types.array_items(), [&value](const Value& type) {
    return is_of_type(value, *type.string());
  });
}

void compare(const Value& schema, const Value& value, const std::string& where,
             std::vector<std::string>& out);

void compare_members(const Value& schema, const Value& value, const std::string& where,
                     std::vector<std::string>& out) {
  const Value* named = schema.find("properties");
  const Value* others = schema.find("additionalProperties");
  for (const auto& [name, member] : *value.members()) {
    const std::string place = pointer_to(where, name);
    if (const Value* known = named == nullptr ? nullptr : named->find(name)) {
      compare(*known, member, place, out);
    } else if (others == nullptr) {
      out.push_back(place + ": is not declared");
    } else if (others->members() != nullptr) {
      compare(*others, member, place, out);
    }
  }
  const Value* required = schema.find("required");
  if (required == nullptr) return;
  for (const Value& name : *required->array_items()) {
    if (value.find(*name.string()) == nullptr)
      out.push_back(pointer_to(where, *name.string()) + ": is missing");
  }
}

void compare(const Value& schema, const Value& value, const std::string& where,
             std::vector<std::string>& out) {
  const Value* types = schema.find("type");
  if (types == nullptr) return;
  if (!has_type(value, *types)) {
    out.push_back(where + ": is " + value.described() + ", declared as " + to_compact_json(*types));
    return;
  }
  if (const Value* words = schema.find("enum")) {
    const auto& known = *words->array_items();
    if (std::ranges::find(known, value) == known.end())
      out.push_back(where + ": is none of the declared words");
  }
  if (value.members() != nullptr) compare_members(schema, value, where, out);
  const Value* each = schema.find("items");
  if (value.array_items() == nullptr || each == nullptr) return;
  for (std::size_t i = 0; i < value.array_items()->size(); ++i)
    compare(*each, (*value.array_items())[i], pointer_to(where, i), out);
}

}  // namespace

std::vector<std::string> Documents::faults(const std::vector<std::string>& words,
                                           const std::string& output) {
  const Value* schema = nullptr;
  std::string command;
  for (std::size_t count = std::min<std::size_t>(words.size(), 2); count > 0 && schema == nullptr;
       --count) {
    command = count == 2 ? words[0] + " " + words[1] : words[0];
    schema = schemas_.find(command);
  }
  const auto document = parse_json(output);
  if (schema == nullptr || !document || document->string() != nullptr) return {};
  std::vector<std::string> out;
  compare(*schema, *document, command + ": ", out);
  const Value* before = counts_.find(command);
  counts_.set(command, before == nullptr ? 1.0 : before->number() + 1);
  return out;
}

}  // namespace holdfast::cli
