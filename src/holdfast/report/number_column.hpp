#pragma once

#include "holdfast/base/units.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// A column of numbers made readable together.
struct NumberColumn {
  std::string unit;  ///< for the title: "h", "GiB"; empty where values carry their own or have none
  std::vector<std::string>
      texts;  ///< one per value, "" for an absent one; decimal points line up when right-aligned
};

/// Formats numbers in base units: one unit and one number of decimals for all where the values lie within five
/// orders of magnitude, else each by itself.
/// @param digits  significant digits of the largest value
[[nodiscard]] NumberColumn format_column(std::span<const std::optional<double>> values, Unit unit,
                                         int digits);

}  // namespace holdfast
