#include "holdfast/report/svg_text.hpp"

#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {
namespace {

constexpr double kLetter =
    0.62;  // mean width of a letter, as a part of the font's size, in DejaVu Sans, which is wide
constexpr double kBoldWidth = 1.15;
constexpr double kTitleSize = 14;
constexpr double kNoteSize = 12;
constexpr double kTitleLine = 19;
constexpr double kNoteLine = 16;
constexpr double kTitleMargin = 8;

bool begins_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

// Returns the position of the first byte of a letter, counted from 0.
std::size_t place_of(std::string_view text, std::size_t letter) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (begins_letter(text[at]) && letter-- == 0) break;
  }
  return at;
}

std::string lines_svg(const std::vector<std::string>& lines, double left, double top, double step,
                      std::string_view style) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += fmt::format("<text x=\"{:g}\" y=\"{:g}\" {}>{}</text>\n", left,
                       top + step * static_cast<double>(i + 1) - 4, style, xml_text(lines[i]));
  }
  return out;
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  return kLetter * font_size * static_cast<double>(letters(text));
}

std::vector<std::string> wrap_text(std::string_view text, double width, double font_size) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    const bool fits =
        !lines.empty() &&
        text_width(lines.back(), font_size) + text_width(word, font_size) + font_size <= width;
    if (fits) {
      lines.back().append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return lines;
}

std::string shorten(std::string_view text, double width, double font_size) {
  const std::size_t count = letters(text);
  const auto room = static_cast<std::size_t>(std::max(3.0, width / (kLetter * font_size)));
  if (count <= room) return std::string(text);
  const std::size_t tail = (room - 1) / 2;
  return fmt::format("{}\u2026{}", text.substr(0, place_of(text, room - 1 - tail)),
                     text.substr(place_of(text, count - tail)));
}

std::string svg_start(double width, double height, double least_width, double font_size,
                      std::string_view name) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
      "viewBox=\"0 0 {0:g} {1:g}\" style=\"max-width:100%;min-width:{2:g}px;height:auto\" "
      "font-family=\"sans-serif\" font-size=\"{3:g}\" role=\"img\">\n<title>{4}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height, least_width, font_size, xml_text(name));
}

TitleLines::TitleLines(const PictureTitle& title, double width)
    : title_{wrap_text(title.title, width / kBoldWidth, kTitleSize)},
      note_{wrap_text(title.note, width, kNoteSize)} {}

double TitleLines::height() const {
  return kTitleMargin + kTitleLine * static_cast<double>(title_.size()) +
         kNoteLine * static_cast<double>(note_.size());
}

std::string TitleLines::svg(double left) const {
  return lines_svg(title_, left, kTitleMargin, kTitleLine,
                   fmt::format("font-weight=\"bold\" font-size=\"{:g}\"", kTitleSize)) +
         lines_svg(note_, left, kTitleMargin + kTitleLine * static_cast<double>(title_.size()),
                   kNoteLine, fmt::format("fill=\"#555555\" font-size=\"{:g}\"", kNoteSize));
}

LegendRows::Place LegendRows::next(std::string_view text) {
  const double width = kSwatch + text_width(text, font_size_);
  if (!is_empty_ && x_ + width > right_) {
    x_ = left_;
    y_ += kRowHeight;
  }
  is_empty_ = false;
  const Place place{x_, y_};
  x_ += width + 1.5 * font_size_;
  return place;
}

}  // namespace holdfast
