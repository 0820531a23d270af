#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/report/page.hpp"

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::vega {

/// Returns an object with these members, for a chart's specification.
[[nodiscard]] Value object(std::initializer_list<Value::Member> members);

/// Returns a chart with its rows as a complete specification, for any program that reads Vega-Lite 6.
[[nodiscard]] Value specification(const PageChart& chart);

/// Returns a number, or null for a value that JSON cannot express and the chart leaves out.
[[nodiscard]] Value number_or_nothing(double value);

/// Returns the texts that appear when the pointer is on a mark: every column that has a title.
/// @param texts  names of the columns that do not contain numbers
[[nodiscard]] Value tooltip(std::span<const DataColumn> columns,
                            std::initializer_list<std::string_view> texts);

}  // namespace holdfast::vega
