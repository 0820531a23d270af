#pragma once

#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/contract/parameter.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// A column that tells the points of a campaign apart, for programs that read tables: a swept parameter, or a member of
/// one whose values are tables. Either every value is a number in one base unit, which the name ends with, or none is
/// changed.
struct TypedColumn {
  std::string name;       ///< "platform_age_s", "failures.shape", "family"
  std::string parameter;  ///< what the campaign file calls it: "platform_age", "failures/shape"
  std::size_t axis = 0;
  std::string pointer = {};  ///< into the values of the axis; empty: the value itself
  Unit unit = Unit::none;
  bool is_number = false;

  /// Returns what a point says there: a number in the base unit, or the value as the file has it, tables and lists as a text of
  /// JSON; null if the point's table does not name it.
  /// @param parameters  of the point, in the order of the axes
  [[nodiscard]] Value value(std::span<const Value> parameters) const;
};

/// Returns the columns of a campaign, in the order of its axes.
/// @param fields  of the domain: they say what a number without a unit measures; empty if nobody knows
[[nodiscard]] std::vector<TypedColumn> typed_columns(std::span<const Axis> axes,
                                                     std::span<const Parameter> fields);

}  // namespace holdfast
