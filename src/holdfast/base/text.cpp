#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace holdfast {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

template <class Part>
std::string join_parts(std::span<const Part> parts, std::string_view separator) {
  std::string out;
  for (const Part& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

// Returns the distance by optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

constexpr unsigned char byte_of(char c) {
  return static_cast<unsigned char>(c);
}

// Returns the number of bytes of the UTF-8 character at the start of a text; 0 if it is not valid.
std::size_t character_size(std::string_view text) {
  const unsigned char first = byte_of(text.front());
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xC2 && first < 0xE0   ? 2
                           : first >= 0xE0 && first < 0xF0 ? 3
                           : first >= 0xF0 && first < 0xF5 ? 4
                                                           : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte_of(text[i]) & 0xC0U) != 0x80U) return 0;
  }
  // Refuses overlong forms, surrogates of UTF-16, and anything beyond the last code point.
  const unsigned char second = byte_of(text[1]);
  const bool is_wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return is_wrong ? 0 : size;
}

// Control characters of ASCII and of Latin 1.
bool is_control(std::string_view character) {
  const unsigned char first = byte_of(character.front());
  return first < 0x20 || first == 0x7F || (first == 0xC2 && byte_of(character[1]) < 0xA0);
}

// Appends at most `most` characters of a text in printable form.
void append_printable(std::string& out, std::string_view text, std::size_t most,
                      bool keeps_newlines) {
  for (std::size_t shown = 0; !text.empty(); ++shown) {
    if (shown == most) {
      out += "...";
      return;
    }
    const std::size_t size = character_size(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(size, 1));
    text.remove_prefix(character.size());
    if (size > 0 && (!is_control(character) || (keeps_newlines && character == "\n"))) {
      out += character;
    } else {
      for (const char c : character) out += fmt::format("\\x{:02x}", byte_of(c));
    }
  }
}

}  // namespace

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (;;) {
    const auto end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return join_parts(parts, separator);
}
std::string join(std::span<const std::string_view> parts, std::string_view separator) {
  return join_parts(parts, separator);
}

std::string_view closest(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > 64) return {};
  std::string_view best;
  std::size_t least = 0;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (3 * distance > std::max(name.size(), candidate.size())) continue;
    if (best.empty() || distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, std::span<const std::string_view> candidates) {
  if (const auto near = closest(name, candidates); !near.empty()) {
    return fmt::format("did you mean {}?", in_quotes(near));
  }
  constexpr std::size_t kNamed = 60;
  if (candidates.size() <= kNamed) return fmt::format("known: {}", join(candidates, ", "));
  return fmt::format("known: {} and {} others", join(candidates.first(kNamed), ", "),
                     candidates.size() - kNamed);
}

std::string with_noun(std::string digits, std::string_view one, std::string_view many) {
  const bool is_one = digits == "1";
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  if (digits.size() - sign > 4) {
    for (std::size_t i = digits.size(); i > sign + 3;) digits.insert(i -= 3, 1, ' ');
  }
  if (is_one) return fmt::format("{} {}", digits, one);
  return many.empty() ? fmt::format("{} {}s", digits, one) : fmt::format("{} {}", digits, many);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_printable(out, text, text.size(), true);
  return out;
}

std::string in_quotes(std::string_view text, char quote) {
  constexpr std::size_t kShown = 60;
  std::string out(1, quote);
  append_printable(out, text, kShown, false);
  return out + quote;
}

std::size_t find_not_utf8(std::string_view text) {
  constexpr std::size_t kStride = sizeof(std::uint64_t);
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t lane = 0;  // most text is ASCII: eight characters at a time
    while (at + kStride <= text.size()) {
      std::memcpy(&lane, text.data() + at, kStride);
      if ((lane & kHighBits) != 0) break;
      at += kStride;
    }
    if (at == text.size()) break;
    const std::size_t size = character_size(text.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return std::string_view::npos;
}

Status check_utf8(std::string_view text) {
  const std::size_t wrong = find_not_utf8(text);
  if (wrong == std::string_view::npos) return {};
  return fail(
      ErrorCode::bad_format, line_and_column(text, wrong),
      fmt::format("found the byte {}, expected text in UTF-8", printable(text.substr(wrong, 1))));
}

std::string line_and_column(std::string_view text, std::size_t at) {
  const std::string_view head = text.substr(0, at);
  const auto line = 1 + std::count(head.begin(), head.end(), '\n');
  const std::size_t newline = head.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? head.size() + 1 : head.size() - newline;
  return fmt::format("{}, column {}", line, column);
}

std::string in_words(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::string as_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const std::size_t wrong = find_not_utf8(text);
    out += text.substr(0, wrong);
    if (wrong == std::string_view::npos) return out;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(wrong + 1);
  }
}

std::string to_text(double value) {
  return fmt::format("{}", value);
}

std::string to_text(double value, int digits) {
  return fmt::format("{:.{}g}", value, digits);
}

}  // namespace holdfast
