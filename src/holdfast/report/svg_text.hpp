#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// What the pictures that the program draws have in common: texts whose width is only estimated, and legends.
namespace holdfast {

/// About how wide a text is in a sans-serif font of that size, in pixels; rather too wide than too narrow.
[[nodiscard]] double text_width(std::string_view text, double font_size);

/// Returns the text in lines of about that width, broken at blanks; a longer word keeps its line.
[[nodiscard]] std::vector<std::string> wrap_text(std::string_view text, double width,
                                                 double font_size);

/// Returns a text that is shortened in the middle where it is wider: both ends of a name tell it from others.
[[nodiscard]] std::string shorten(std::string_view text, double width, double font_size);

/// Returns the element that begins a picture on white paper. It shrinks with a narrow window, down to `least_width`, below which
/// the window scrolls. @param name  for those who do not see it
[[nodiscard]] std::string svg_start(double width, double height, double least_width,
                                    double font_size, std::string_view name);

/// What is said above a picture.
struct PictureTitle {
  std::string title;
  std::string note;  ///< below it, in smaller letters; empty: nothing
};

/// A title with its note in lines that fit a width.
class TitleLines {
 public:
  TitleLines(const PictureTitle& title, double width);

  /// Pixels from the top of the picture to below the last line.
  [[nodiscard]] double height() const;
  [[nodiscard]] std::string svg(double left) const;

 private:
  std::vector<std::string> title_;
  std::vector<std::string> note_;
};

/// Places the entries of a legend beside each other, in as many rows as their texts need.
class LegendRows {
 public:
  static constexpr double kRowHeight = 20;
  static constexpr double kSwatch = 22;  ///< from the start of an entry to its text

  LegendRows(double left, double right, double font_size)
      : left_{left}, right_{right}, font_size_{font_size}, x_{left} {}

  struct Place {
    double x = 0;
    double y = 0;  ///< of the row, from the top of the legend
  };
  /// Where the next entry goes.
  Place next(std::string_view text);
  /// Returns the height of what has been placed.
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
