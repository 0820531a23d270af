#pragma once

#include <string>
#include <string_view>

namespace holdfast {

/// A text as a cell of comma-separated values: in quotes where RFC 4180 asks for it, and with an apostrophe before what
/// a spreadsheet would run as a formula (a text that begins with = + - @ and is no number). Names in traces and
/// workflows are anybody's.
[[nodiscard]] std::string csv_cell(std::string_view text);

/// The same in quotes, whatever it holds.
[[nodiscard]] std::string quoted_csv_cell(std::string_view text);

/// The text of a cell without the apostrophe that csv_cell() puts before formulas.
[[nodiscard]] std::string_view from_csv_cell(std::string_view cell);

}  // namespace holdfast
