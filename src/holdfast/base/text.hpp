#pragma once

#include "holdfast/base/error.hpp"

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Without blanks (space, tab, carriage return, newline) at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// The parts between separators; n separators make n + 1 parts, empty ones included.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// "a, b, c"
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);
[[nodiscard]] std::string join(std::span<const std::string_view> parts, std::string_view separator);

/// The candidate nearest to `name` by edit distance (a swap of neighbours counts once), or empty when none is
/// near enough to be what was meant: at most a third of the longer of the two may differ.
[[nodiscard]] std::string_view closest(std::string_view name,
                                       std::span<const std::string_view> candidates);

/// "did you mean 'work'?" or "known: a, b, c" when nothing is near; what an unknown name's message ends with.
[[nodiscard]] std::string suggestion(std::string_view name,
                                     std::span<const std::string_view> candidates);

/// The text with control characters and bytes that are no UTF-8 as \x1b, so that no input can move a reader's cursor.
/// Newlines stay.
[[nodiscard]] std::string printable(std::string_view text);

/// A piece of somebody's input as a message shows it: between quotes, printable, on one line, and cut after 60
/// characters.
[[nodiscard]] std::string in_quotes(std::string_view text, char quote = '\'');

/// Where the first byte lies that belongs to no character of UTF-8 (overlong forms and surrogates are none); npos
/// where there is none. Every reader that asks for UTF-8 asks here.
[[nodiscard]] std::size_t find_not_utf8(std::string_view text);

/// Refuses a text that is not UTF-8 as a whole, with line and column.
[[nodiscard]] Status check_utf8(std::string_view text);

/// The text with U+FFFD in place of each byte that is no UTF-8.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// The noun that belongs to a number: what counted() is made of.
[[nodiscard]] std::string with_noun(std::string digits, std::string_view one,
                                    std::string_view many);

/// Things counted for people: "1 job", "500 jobs", "20 000 jobs".
/// @param many  the plural where it is not `one` with an s
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view one, std::string_view many = {}) {
  return with_noun(std::to_string(count), one, many);
}

/// A name of a program as people read it, "minimum yield" for minimum_yield.
[[nodiscard]] std::string in_words(std::string_view name);

/// "LINE, column C" of a position in a text, both from 1.
[[nodiscard]] std::string line_and_column(std::string_view text, std::size_t at);

/// A number as a person would write it: the shortest text that reads back as the same double.
[[nodiscard]] std::string to_text(double value);

/// A number with `digits` significant digits, without trailing zeros.
[[nodiscard]] std::string to_text(double value, int digits);

}  // namespace holdfast
