#pragma once

#include "holdfast/contract/parameter.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

namespace holdfast {

/// The fields of several kinds of documents as the options of one domain, in order. What two of them have stands once,
/// as in the first.
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

}  // namespace holdfast
