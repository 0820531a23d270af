#pragma once

#include "holdfast/base/units.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// A column of numbers made readable together.
struct NumberColumn {
  std::string unit;  ///< for the title: "h", "GiB"; empty: values carry theirs or have none
  std::vector<std::string> texts;  ///< one per value, "" for an absent one; points line up
};

/// Returns an error, or half an interval, with the two digits that say something; below rounding of `value` it is 0.
[[nodiscard]] double two_digits(double error, double value);

using Numbers = std::vector<std::optional<double>>;

/// A unit that people read: 1 `name` is `size` base units.
struct DisplayUnit {
  std::string name;  ///< "h"; empty for plain numbers
  double size = 1;
};

/// Returns the unit in which a column or an axis whose largest magnitude is this is shown: the largest one in which that is at
/// least 3.
[[nodiscard]] DisplayUnit display_unit(Unit unit, double largest);

/// Formats columns of numbers in one base unit so that they can be compared: one unit for all of them
/// (a column five orders of magnitude smaller than the largest takes its own), and one number of
/// decimals in each column. A column whose own values are further apart than that shows each
/// value by itself.
/// @param digits  significant digits of the largest value; smaller columns keep at least two
[[nodiscard]] std::vector<NumberColumn> format_columns(std::span<const Numbers> columns, Unit unit,
                                                       int digits);

}  // namespace holdfast
