#pragma once

#include "holdfast/contract/answer.hpp"

#include <string>

namespace holdfast {

/// Returns the table for programs: comma-separated, with a line of titles, numbers in base units with all their digits, and the
/// unit in the title ("mean (s)"). A missing value is empty. The title of the table is left out.
[[nodiscard]] std::string to_csv(const Table& table);

/// Returns the table as Markdown for GitHub, with the same cells as on a terminal and the title as a line above it.
[[nodiscard]] std::string to_markdown(const Table& table);

/// Returns a sentence as Markdown; characters that would be markup are escaped.
[[nodiscard]] std::string to_markdown(std::string_view sentence);

}  // namespace holdfast
