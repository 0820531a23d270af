#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Common parts of the pictures that the program draws: texts whose width is only estimated, and legends.
namespace holdfast {

/// Returns an estimate of the width of a text in a sans-serif font of that size, in pixels; rather too wide than too narrow.
[[nodiscard]] double text_width(std::string_view text, double font_size);

/// Returns the text in lines of about that width, broken at blanks. A longer word stays on one line.
[[nodiscard]] std::vector<std::string> wrap_text(std::string_view text, double width,
                                                 double font_size);

/// Returns a text that is shortened in the middle if it is too wide, so that both ends of a name stay visible.
[[nodiscard]] std::string shorten(std::string_view text, double width, double font_size);

/// Returns the element that begins a picture on a white background. The picture shrinks with a narrow window down to
/// `least_width`; below that the window scrolls. @param name  description for readers who cannot see the picture
[[nodiscard]] std::string svg_start(double width, double height, double least_width,
                                    double font_size, std::string_view name);

/// The texts above a picture.
struct PictureTitle {
  std::string title;
  std::string note;  ///< text below the title, in smaller letters; may be empty
};

/// A title and its note, in lines that fit a width.
class TitleLines {
 public:
  TitleLines(const PictureTitle& title, double width);

  /// Returns the distance from the top of the picture to below the last line, in pixels.
  [[nodiscard]] double height() const;
  [[nodiscard]] std::string svg(double left) const;

 private:
  std::vector<std::string> title_;
  std::vector<std::string> note_;
};

/// The places of the entries of a legend, side by side in as many rows as their texts need.
class LegendRows {
 public:
  static constexpr double kRowHeight = 20;
  static constexpr double kSwatch = 22;  ///< pixels from the start of an entry to its text

  LegendRows(double left, double right, double font_size)
      : left_{left}, right_{right}, font_size_{font_size}, x_{left} {}

  struct Place {
    double x = 0;
    double y = 0;  ///< y of the row, from the top of the legend
  };
  /// Returns the place of the next entry.
  Place next(std::string_view text);
  /// Returns the height of the entries placed so far.
  [[nodiscard]] double height() const { return is_empty_ ? 0 : y_ + kRowHeight; }

 private:
  double left_;
  double right_;
  double font_size_;
  double x_;
  double y_ = 0;
  bool is_empty_ = true;
};

}  // namespace holdfast
