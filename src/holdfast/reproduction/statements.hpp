#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/reproduction/item.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::reproduction {

/// Reads the tables [[statement]] of an item. A table that names sets, as "{family}" or "{step.0}", is a statement for each
/// combination of their values.
/// @param document  item.toml with one of its variants; its members sets and known belong to the statements
/// @param variant   the name of that variant; empty: the first, or there is none
/// @param rows      the rows that statements name by their ids
[[nodiscard]] Result<std::vector<Statement>> read_statements(const Value& document,
                                                             std::string_view variant,
                                                             const std::vector<Row>& rows);

}  // namespace holdfast::reproduction
