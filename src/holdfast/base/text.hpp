#pragma once

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

/// A number as a person would write it: the shortest text that reads back as the same double.
[[nodiscard]] std::string to_text(double value);

/// A number with `digits` significant digits, without trailing zeros.
[[nodiscard]] std::string to_text(double value, int digits);

}  // namespace holdfast
