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

/// A column that distinguishes the points of a campaign, for programs that read tables. It has the values of a swept parameter
/// or, if these are tables, the values of one of their members. Either every value is a number in one base unit, which is at
/// the end of the column's name, or all values stay as they are.
struct TypedColumn {
  std::string name;       ///< "platform_age_s", "failures.shape", "family"
  std::string parameter;  ///< the name in the campaign file: "platform_age", "failures/shape"
  std::size_t axis = 0;
  std::string pointer = {};  ///< pointer into the values of the axis; empty: the value itself
  Unit unit = Unit::none;
  bool is_number = false;

  /// Returns the value at a point: a number in the base unit, or the value as it stands in the file, with tables and lists as
  /// JSON texts. Null if the table of the point does not contain the parameter.
  /// @param parameters  parameters of the point, in the order of the axes
  [[nodiscard]] Value value(std::span<const Value> parameters) const;
};

/// Returns the columns of a campaign, in the order of its axes.
/// @param fields  the fields of the domain, which give the units of bare numbers; empty if they are unknown
[[nodiscard]] std::vector<TypedColumn> typed_columns(std::span<const Axis> axes,
                                                     std::span<const Parameter> fields);

}  // namespace holdfast
