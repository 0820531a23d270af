#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/report/page.hpp"

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::vega {

/// Members of a chart's specification.
[[nodiscard]] Value object(std::initializer_list<Value::Member> members);

/// Returns a chart with its rows as a specification of its own, which any program that reads Vega-Lite 6 draws.
[[nodiscard]] Value specification(const PageChart& chart);

/// What JSON has no word for is left out of the chart.
[[nodiscard]] Value number_or_nothing(double value);

/// Returns what is said of a mark under the pointer: every column that has a title.
/// @param texts  names of the columns that hold no numbers
[[nodiscard]] Value tooltip(std::span<const DataColumn> columns,
                            std::initializer_list<std::string_view> texts);

}  // namespace holdfast::vega
