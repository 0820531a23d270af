#pragma once

#include <string>
#include <string_view>

namespace holdfast {

/// Returns a text as a cell of comma-separated values: in quotes where RFC 4180 requires them, and with an apostrophe before
/// what a spreadsheet would run as a formula (a text that begins with = + - @ and is no number), because names in traces and
/// workflows may come from anybody.
[[nodiscard]] std::string csv_cell(std::string_view text);

/// Returns such a cell in quotes, whatever it holds.
[[nodiscard]] std::string quoted_csv_cell(std::string_view text);

/// Returns the text of a cell without the apostrophe that csv_cell() puts before formulas.
[[nodiscard]] std::string_view from_csv_cell(std::string_view cell);

}  // namespace holdfast
