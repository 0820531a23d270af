#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

namespace holdfast {

/// The type of a field in a line of numbers separated by blanks. The reader below takes millions of lines, so it neither
/// allocates nor uses the locale.
enum class NumberField : std::uint8_t {
  whole,     ///< a whole number
  fraction,  ///< a number with a fraction or an exponent
  text,      ///< something else
  none,      ///< the line has no more fields
};

/// Removes the next field from the front of `line`.
/// @param value  receives the number, if the field is a number
/// @param field  receives the text of the field
inline NumberField take_number(std::string_view& line, double& value, std::string_view& field) {
  std::size_t begin = 0;
  while (begin < line.size() &&
         (line[begin] == ' ' || line[begin] == '\t' || line[begin] == '\r')) {
    ++begin;
  }
  if (begin == line.size()) {
    line = {};
    return NumberField::none;
  }
  const bool negative = line[begin] == '-';
  std::size_t at = begin + (negative ? 1 : 0);
  const std::size_t first_digit = at;
  // A double holds whole numbers of this length exactly; longer ones are left to from_chars.
  constexpr std::size_t kMostDigits = 15;
  std::int64_t whole = 0;
  while (at < line.size() && line[at] >= '0' && line[at] <= '9') {
    whole = 10 * whole + (line[at++] - '0');
    if (at - first_digit > kMostDigits) break;
  }
  const bool ends = at == line.size() || line[at] == ' ' || line[at] == '\t' || line[at] == '\r';
  if (ends && at > first_digit && at - first_digit <= kMostDigits) {
    value = static_cast<double>(negative ? -whole : whole);
    field = line.substr(begin, at - begin);
    line.remove_prefix(at);
    return NumberField::whole;
  }
  while (at < line.size() && line[at] != ' ' && line[at] != '\t' && line[at] != '\r') ++at;
  field = line.substr(begin, at - begin);
  line.remove_prefix(at);
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  const bool is_number = error == std::errc{} && stop == end &&
                         value > -std::numeric_limits<double>::infinity() &&
                         value < std::numeric_limits<double>::infinity();
  return is_number ? NumberField::fraction : NumberField::text;
}

}  // namespace holdfast
