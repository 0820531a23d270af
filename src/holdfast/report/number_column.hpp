#pragma once

#include "holdfast/base/units.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// A column of numbers in one readable unit.
struct NumberColumn {
  std::string unit;  ///< unit for the title: "h", "GiB"; empty: values carry their own or have none
  /// One text per value, "" for a missing value; decimal points are aligned.
  std::vector<std::string> texts;
};

/// Returns an error, or half an interval, rounded to two significant digits; 0 if it is below the rounding of `value`.
[[nodiscard]] double two_digits(double error, double value);

using Numbers = std::vector<std::optional<double>>;

/// A readable unit: 1 `name` is `size` base units.
struct DisplayUnit {
  std::string name;  ///< "h"; empty for plain numbers
  double size = 1;
};

/// Returns the unit for a column or an axis with this largest magnitude: the largest unit in which the magnitude is at least 3.
[[nodiscard]] DisplayUnit display_unit(Unit unit, double largest);

/// Formats columns of numbers in one base unit so that they can be compared. All have the same unit (except a column five
/// orders of magnitude smaller than the largest, which gets its own), and each column has the same number of decimals. If the
/// values of a column are further apart than that, each value is formatted separately.
/// @param digits  significant digits of the largest value; columns with smaller values keep at least two
[[nodiscard]] std::vector<NumberColumn> format_columns(std::span<const Numbers> columns, Unit unit,
                                                       int digits);

}  // namespace holdfast
