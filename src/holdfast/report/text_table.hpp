#pragma once

#include "holdfast/contract/answer.hpp"

#include <cstddef>
#include <string>

namespace holdfast {

/// The style of a table. The defaults are those for a pipe or a file: plain, and as wide as necessary.
struct TextStyle {
  std::size_t width = 0;  ///< columns of the terminal; 0: unlimited
  bool color = false;     ///< bold titles (ANSI escapes)
};

/// Returns the table as lines of text: columns two blanks apart, texts to the left, numbers to the right with aligned decimal
/// points. If one unit suits all values of a column, its title names the unit; otherwise each value carries its own. A missing
/// value is "-". In a table that is wider than the terminal, sentences are wrapped; if that is not enough, some columns are
/// printed below, next to the columns that identify the rows. Nothing is cut.
[[nodiscard]] std::string to_text(const Table& table, const TextStyle& style = {});

/// Returns a title, in bold if the style has colours.
[[nodiscard]] std::string bold(std::string text, const TextStyle& style);

}  // namespace holdfast
