#pragma once

#include "holdfast/traces/text/sniff.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

/// How the lines of a table are divided into cells, found out from the lines.
namespace holdfast {

/// A line of the beginning of a file.
struct TableLine {
  std::size_t number;
  std::string_view text;
};

inline constexpr std::size_t kMostForDialect = 200;  ///< lines that decide about the delimiter

/// Returns true for a line that is drawn: "-----", "|---|---|", "+-----+", "=====".
[[nodiscard]] bool is_rule(std::string_view line);

/// Returns the number of cells that most lines have, and the number of these lines.
[[nodiscard]] std::pair<std::size_t, std::size_t> usual_width(const Dialect& dialect,
                                                              std::span<const TableLine> lines);

/// Returns how these lines are divided. @param rule  a line that is drawn between names and rows; empty: there is none
[[nodiscard]] Dialect dialect_of(std::span<const TableLine> lines, std::string_view rule);

}  // namespace holdfast
