#pragma once

#include <string>
#include <string_view>

namespace holdfast {

/// Returns a text as a cell of comma-separated values. It is quoted where RFC 4180 requires it. A text that a spreadsheet would
/// run as a formula (one that begins with = + - @ and is not a number) gets an apostrophe in front, because names in traces and
/// workflows may come from anybody.
[[nodiscard]] std::string csv_cell(std::string_view text);

/// Returns the same cell, always in quotes.
[[nodiscard]] std::string quoted_csv_cell(std::string_view text);

/// Returns the text of a cell without the apostrophe that csv_cell() puts before formulas.
[[nodiscard]] std::string_view from_csv_cell(std::string_view cell);

}  // namespace holdfast
