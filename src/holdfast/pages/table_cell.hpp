#pragma once

#include "holdfast/base/value.hpp"

#include <optional>

namespace holdfast {

/// Returns a number as a cell, which is empty if there is no number.
[[nodiscard]] inline Value number_or_nothing(const std::optional<double>& value) {
  return value ? Value(*value) : Value();
}

}  // namespace holdfast
