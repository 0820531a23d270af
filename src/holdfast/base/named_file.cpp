#include "holdfast/base/named_file.hpp"

namespace holdfast {
namespace {

/// True where an error's place is this file, or a line of it.
bool is_about_file(std::string_view where, const std::string& file) {
  return !file.empty() && where.starts_with(file) &&
         (where.size() == file.size() || where[file.size()] == ':');
}

std::string search(const Value& value, const std::string& pointer,
                   const std::filesystem::path& directory, std::string_view where) {
  if (const std::string* text = value.string()) {
    const std::filesystem::path file = directory / *text;
    const bool is_named = is_about_file(where, *text) || is_about_file(where, file.string()) ||
                          is_about_file(where, file.lexically_normal().string());
    return is_named ? pointer : "";
  }
  const auto search_part = [&](const Value& part, const std::string& place) {
    return search(part, place, directory, where);
  };
  if (const Value::Array* items = value.array_items()) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      if (auto found = search_part((*items)[i], pointer_to(pointer, i)); !found.empty())
        return found;
    }
  }
  if (const auto* members = value.members()) {
    for (const auto& [name, part] : *members) {
      if (auto found = search_part(part, pointer_to(pointer, name)); !found.empty()) return found;
    }
  }
  return "";
}

}  // namespace

std::string field_that_names(const Value& document, const std::filesystem::path& directory,
                             std::string_view where) {
  return search(document, "", directory, where);
}

}  // namespace holdfast
