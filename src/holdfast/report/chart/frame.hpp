#pragma once

#include "holdfast/report/chart/groups.hpp"
#include "holdfast/report/chart/paper.hpp"
#include "holdfast/report/chart/scale.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Charts as pictures that the program draws itself: axes, legends and small charts side by side. The caller draws the marks
/// between the axes.
namespace holdfast {

/// One axis: bands with labels, or numbers.
struct FrameAxis {
  std::string title;
  std::vector<std::string> labels = {};  ///< labels of the bands; empty: an axis of numbers
  ChartRange range = {};
  std::string unit = {};  ///< unit of these numbers; "s" gives ticks in readable units of time
  double scale = 1;       ///< factor for the numbers at the ticks: 100 for per cent
  std::string_view suffix = {};  ///< text after these numbers: " %"
};

/// The area for the marks of one view, in pixels.
class FrameView {
 public:
  struct Frame {
    double left = 0;
    double top = 0;
    double width = 0;
    double height = 0;
  };

  FrameView(const FrameAxis& x, const FrameAxis& y, const Frame& frame);

  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] const ChartScale& x() const { return x_; }
  [[nodiscard]] const ChartScale& y() const { return y_; }
  /// Returns the width of a band in pixels.
  [[nodiscard]] double band_width() const { return frame_.width / bands_; }
  /// Returns the place where a band begins.
  [[nodiscard]] double band_left(std::size_t band) const;
  [[nodiscard]] double band_height() const { return frame_.height / rows_; }
  [[nodiscard]] double band_top(std::size_t row) const;

 private:
  Frame frame_;
  double bands_;  // number of bands along x
  double rows_;
  ChartScale x_;
  ChartScale y_;
};

struct FrameLegendEntry {
  std::string text;
  /// Draws the sample of an entry around a point.
  std::function<std::string(double x, double y)> swatch;
  /// The series that the entry names, which a reader can switch off; empty: none.
  std::optional<std::size_t> series = {};
};

struct FramedChart {
  std::string title;
  std::string caption;
  FrameAxis x;
  FrameAxis y;
  std::string legend_title = {};
  std::vector<FrameLegendEntry> legend = {};
  /// A further legend, `legend_height` pixels high, from the left edge on.
  std::string legend_svg = {};
  double legend_height = 0;
  std::string facet_title = {};
  std::vector<std::string> facets = {};  ///< headings of small charts; empty: a single chart
  double least_width = 0;                ///< smallest width of a view with its axis, in pixels
  double height = 280;                   ///< height of a view in pixels
  /// Draws the marks of a view. @param facet  position in facets
  std::function<std::string(const FrameView& view, std::size_t facet)> marks = {};
};

/// Returns the marks of one series, which the legend's entry of the same number switches off.
[[nodiscard]] std::string of_series(std::size_t series, std::string_view marks);
/// Returns the marks of one row of the chart's data, with a text that appears when the pointer rests on them.
[[nodiscard]] std::string of_row(std::size_t row, std::string_view tip, std::string_view marks);

/// Returns the chart as an SVG element.
[[nodiscard]] std::string draw(const FramedChart& chart, const ChartPaper& paper);

/// Returns a label in lines that are at most that many pixels wide, broken after blanks and punctuation if possible.
[[nodiscard]] std::vector<std::string> label_lines(std::string_view text, double width,
                                                   double font_size);

/// Returns a label at the side of a picture of that width, in lines.
[[nodiscard]] std::vector<std::string> side_label(std::string_view text, double width);

}  // namespace holdfast
