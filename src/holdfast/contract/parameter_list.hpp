#pragma once

#include "holdfast/contract/parameter.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast {

/// Returns the fields of several kinds of documents as one list of options of a domain, in order. If several tables have the
/// same field, the first one counts.
[[nodiscard]] inline std::vector<Parameter> one_list(
    std::initializer_list<std::span<const Parameter>> tables) {
  std::vector<Parameter> out;
  for (const auto table : tables) {
    for (const Parameter& field : table) {
      const auto is_same = [&](const Parameter& other) { return other.name == field.name; };
      if (std::none_of(out.begin(), out.end(), is_same)) out.push_back(field);
    }
  }
  return out;
}

/// Returns the names of these fields, for Verb::unused.
[[nodiscard]] inline std::vector<std::string_view> names_of(std::span<const Parameter> fields) {
  std::vector<std::string_view> out;
  for (const Parameter& field : fields) out.push_back(field.name);
  return out;
}

}  // namespace holdfast
