#pragma once

#include "holdfast/contract/answer.hpp"

#include <cstddef>
#include <string>

namespace holdfast {

/// How a table is shown. The defaults are what a pipe or a file gets: plain, as wide as it needs to be.
struct TextStyle {
  std::size_t width = 0;  ///< columns of the terminal; 0: unlimited
  bool color = false;     ///< bold titles (ANSI escapes)
};

/// Returns the table as lines of text: columns two blanks apart, texts to the left, numbers to the right with their decimal
/// points in line. A column of quantities is shown in one unit, named in its title, where one serves all its values;
/// else each value carries its own. An absent value is "-". A table that is wider than the terminal gets its sentences on
/// several lines; where that is not enough columns go below, beside what tells the rows apart. Nothing is cut.
[[nodiscard]] std::string to_text(const Table& table, const TextStyle& style = {});

/// Returns a title in that style.
[[nodiscard]] std::string bold(std::string text, const TextStyle& style);

}  // namespace holdfast
