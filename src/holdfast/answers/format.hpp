#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

/// In which form an answer is given.
enum class AnswerFormat : std::uint8_t { table, csv, markdown, json };

/// Returns "table", "csv", "markdown", "json".
[[nodiscard]] std::string_view name_of(AnswerFormat format);
/// Returns those names, in this order.
[[nodiscard]] std::span<const std::string_view> answer_format_names();
/// Returns the format of a name, or of what people type too ("md").
[[nodiscard]] std::optional<AnswerFormat> answer_format(std::string_view name);

/// Returns ".txt", ".csv", ".md", ".json".
[[nodiscard]] std::string_view ending_of(AnswerFormat format);
/// Returns the format that a file's name says, below .gz and .zst; nothing if it says none.
[[nodiscard]] std::optional<AnswerFormat> format_of_file(const std::string& file);

}  // namespace holdfast
