#pragma once

#include "holdfast/base/error.hpp"

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Returns the text without blanks (space, tab, carriage return, newline) at its ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// Returns the text with small letters in place of A to Z.
[[nodiscard]] std::string lower_case(std::string_view text);

/// Returns the parts between separators; n separators make n + 1 parts, including empty ones.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// Join parts with a separator: "a, b, c".
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);
[[nodiscard]] std::string join(std::span<const std::string_view> parts, std::string_view separator);

/// Returns the candidate that is nearest to `name` by edit distance (swapping two neighbours counts once). Returns an empty
/// text if no candidate is near: at most a third of the longer of the two words may differ.
[[nodiscard]] std::string_view closest(std::string_view name,
                                       std::span<const std::string_view> candidates);

/// Returns the end of the message about an unknown name: "did you mean 'work'?", or "known: a, b, c" if no name is near.
[[nodiscard]] std::string suggestion(std::string_view name,
                                     std::span<const std::string_view> candidates);

/// Returns the text with control characters and bytes that are not UTF-8 written as \x1b, so that no input can move the cursor
/// of a terminal. Newlines stay.
[[nodiscard]] std::string printable(std::string_view text);

/// Returns a piece of input for a message: in quotes, printable, on one line, and cut after 60 characters.
[[nodiscard]] std::string in_quotes(std::string_view text, char quote = '\'');

/// Returns the position of the first byte that is not part of a valid UTF-8 character (overlong forms and surrogates are not
/// valid), or npos. Every reader that needs UTF-8 uses this function.
[[nodiscard]] std::size_t find_not_utf8(std::string_view text);

/// Refuses a text that is not valid UTF-8; the error gives line and column.
[[nodiscard]] Status check_utf8(std::string_view text);

/// Returns the text with U+FFFD in place of each byte that is not UTF-8.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// Returns a number, with blanks between thousands, followed by the right form of its noun. counted() uses this function.
[[nodiscard]] std::string with_noun(std::string digits, std::string_view one,
                                    std::string_view many);

/// Returns a count for people: "1 job", "500 jobs", "20 000 jobs".
/// @param many  the plural, if it is not `one` followed by an s
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view one, std::string_view many = {}) {
  return with_noun(std::to_string(count), one, many);
}

/// Returns the name of something in the program as people read it: "minimum yield" for minimum_yield.
[[nodiscard]] std::string in_words(std::string_view name);

/// Returns "LINE, column C" of a position in a text, both from 1.
[[nodiscard]] std::string line_and_column(std::string_view text, std::size_t at);

/// Returns a number as a person would write it: the shortest text that reads back as the same double.
[[nodiscard]] std::string to_text(double value);

/// Returns a number with `digits` significant digits, without trailing zeros.
[[nodiscard]] std::string to_text(double value, int digits);

}  // namespace holdfast
