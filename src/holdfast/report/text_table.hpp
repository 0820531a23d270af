#pragma once

#include "holdfast/contract/answer.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

/// How a table is shown. The defaults are what a pipe or a file gets: plain, as wide as it needs to be.
struct TextStyle {
  std::size_t width =
      0;  ///< columns of the terminal; texts are cut to fit, then columns go below; 0: unlimited
  bool color = false;  ///< bold titles (ANSI escapes)
};

/// The table as lines of text: columns two blanks apart, texts to the left, numbers to the right with their decimal
/// points in line. A column of quantities is shown in one unit, named in its title, where one serves all its values;
/// else each value carries its own. An absent value is "-".
[[nodiscard]] std::string to_text(const Table& table, const TextStyle& style = {});

/// Columns that a text takes on a terminal: code points of UTF-8 (wide and combining ones are not told apart).
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace holdfast
