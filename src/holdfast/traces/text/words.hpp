#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast {

/// Splits a line at any number of blanks and tabs; the parts replace `words`.
inline void split_words(std::string_view line, std::vector<std::string_view>& words) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  words.clear();
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    words.push_back(line.substr(begin, at - begin));
  }
}

/// Returns the parts of a line, split at any number of blanks and tabs.
[[nodiscard]] inline std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  split_words(line, words);
  return words;
}

/// Returns the first line that is neither blank nor a comment (#), without blanks at its ends.
[[nodiscard]] inline std::string_view first_row_of(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line[first] == '#') continue;
    return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
  }
  return {};
}

/// Returns a word as a number; nothing if it is not a finite number (from_chars also accepts "nan" and "inf").
[[nodiscard]] inline std::optional<double> finite_number(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace holdfast
