#pragma once

#include "holdfast/contract/answer.hpp"

#include <string>

namespace holdfast {

/// Returns the table for programs: comma-separated, a line of titles, numbers in base units with all their digits, the unit in
/// the title ("mean (s)"). An absent value is empty. The table's own title is left out.
[[nodiscard]] std::string to_csv(const Table& table);

/// Returns the table for pages: Markdown as GitHub reads it, cells as on a terminal, the title as a line before it.
[[nodiscard]] std::string to_markdown(const Table& table);

/// Returns a sentence as Markdown: what would be taken for markup is escaped.
[[nodiscard]] std::string to_markdown(std::string_view sentence);

}  // namespace holdfast
