#include "holdfast/report/text_wrap.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::string_view kMarks = "-:,/=_";

bool starts_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

// Bytes of the first `count` code points.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (starts_point(text[at]) && count-- == 0) break;
  }
  return at;
}

// Where a text that is too long is broken: how many bytes stay on the line.
std::size_t break_of(std::string_view text, std::size_t width) {
  const std::size_t most = bytes_of(text, width);
  const std::size_t blank = text.substr(0, most + 1).rfind(' ');
  if (blank != std::string_view::npos && blank > 0) return blank;
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
