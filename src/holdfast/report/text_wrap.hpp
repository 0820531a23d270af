#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Returns the number of columns that a text takes on a terminal, counted as UTF-8 code points (wide and combining characters
/// count as one).
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Returns the text in lines of at most `width` columns, broken between words. A word that is longer than a line is broken
/// after one of - : , / = _ or, if it has none, at the end of the line. A number stays with its unit ("63 %", "2 h", "20 000")
/// if both fit on one line. Only the blanks at line breaks are left out. With width 0 there is one line.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace holdfast
