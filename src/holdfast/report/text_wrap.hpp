#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Columns that a text takes on a terminal: code points of UTF-8 (wide and combining ones are not told apart).
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Returns the text in lines of at most `width` columns: broken between words; a word that is longer than a line behind a
/// mark inside it (- : , / = _), and if there is none, wherever the line ends. A number stays with its unit ("63 %",
/// "2 h", "20 000") where a line has room for both. Nothing is left out but the blanks at which a line is broken. 0: one
/// line.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace holdfast
