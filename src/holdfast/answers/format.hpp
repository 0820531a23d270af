#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

/// The format in which an answer is printed.
enum class AnswerFormat : std::uint8_t { table, csv, markdown, json };

/// Returns "table", "csv", "markdown", "json".
[[nodiscard]] std::string_view name_of(AnswerFormat format);
/// Returns these names, in this order.
[[nodiscard]] std::span<const std::string_view> answer_format_names();
/// Returns the format with that name or with a common short form ("md").
[[nodiscard]] std::optional<AnswerFormat> answer_format(std::string_view name);

/// Returns ".txt", ".csv", ".md", ".json".
[[nodiscard]] std::string_view ending_of(AnswerFormat format);
/// Returns the format for a file name, ignoring the ending of a compression; nothing if the name does not imply one.
[[nodiscard]] std::optional<AnswerFormat> format_of_file(const std::string& file);

}  // namespace holdfast
