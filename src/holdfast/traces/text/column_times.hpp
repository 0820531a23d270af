#pragma once

#include "holdfast/traces/text/table_reading.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the times of a table mean: units of numbers, the order of day and month, dates of spreadsheets.
namespace holdfast {

[[nodiscard]] bool is_timed(CellKind kind);

/// Divides what a person said, "a=x,b='y,z'", into pairs.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> named_values(
    std::string_view text, std::string_view place);

/// Returns the number of the field of that name. Errors get that place.
[[nodiscard]] Result<std::size_t> field_called(const TableReading& reading, std::string_view name,
                                               std::string_view place);

/// Settles the units and the order of day and month of each field that is a time, as its column and the person say. A column
/// that leaves it open becomes the reading's trouble.
[[nodiscard]] Status settle_times(TableReading& reading);

}  // namespace holdfast
