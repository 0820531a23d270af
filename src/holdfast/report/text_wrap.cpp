#include "holdfast/report/text_wrap.hpp"

#include "holdfast/base/units.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace holdfast {
namespace {

constexpr std::string_view kMarks = "-:,/=_";

bool starts_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

// Returns the number of bytes of the first `count` code points.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (starts_point(text[at]) && count-- == 0) break;
  }
  return at;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Returns true for a word that continues a number: a unit, or the next three digits.
bool continues_number(std::string_view word) {
  word = word.substr(0, word.find_last_not_of(",.;:()") + 1);
  if (word == "%") return true;
  if (word.size() == 3 && std::all_of(word.begin(), word.end(), is_digit)) return true;
  if (word.empty() || is_digit(word.front())) return false;
  return std::ranges::any_of(
      std::array{Unit::seconds, Unit::bytes, Unit::bytes_per_second, Unit::per_second},
      [word](Unit unit) { return parse_quantity("1" + std::string(word), unit).has_value(); });
}

// Returns true if the blank is inside "63 %", "2 h" or "20 000".
bool is_inside_quantity(std::string_view text, std::size_t blank) {
  if (blank == 0 || !is_digit(text[blank - 1])) return false;
  const std::string_view rest = text.substr(blank + 1);
  return continues_number(rest.substr(0, rest.find(' ')));
}

// Returns the last blank before `end` at which the text may be broken; 0 if there is none.
std::size_t last_blank(std::string_view text, std::size_t end) {
  std::size_t blank = text.substr(0, end).rfind(' ');
  const std::size_t any = blank;
  while (blank != std::string_view::npos && is_inside_quantity(text, blank))
    blank = blank == 0 ? std::string_view::npos : text.rfind(' ', blank - 1);
  const bool is_good = blank != std::string_view::npos && blank > 0;
  return is_good ? blank : any == std::string_view::npos ? 0 : any;
}

// Returns how many bytes of a text that is too long stay on the line.
std::size_t break_of(std::string_view text, std::size_t width) {
  const std::size_t most = bytes_of(text, width);
  if (const std::size_t blank = last_blank(text, most + 1); blank > 0) return blank;
  const std::size_t mark = text.substr(0, most).find_last_of(kMarks);
  return mark != std::string_view::npos && mark > 0 ? mark + 1 : most;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_point));
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (width > 0 && display_width(text) > width) {
    const std::size_t end = break_of(text, width);
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace holdfast
