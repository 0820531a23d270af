#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

/// The colours of a chart that the program draws.
struct ChartInk {
  std::string_view ink;   ///< colour of texts
  std::string_view soft;  ///< colour of axes and reference lines
  std::string_view line;  ///< colour of grids
  std::string_view grey;  ///< colour of the series that others are compared with
  std::array<std::string_view, 8> series;
};

/// What the program draws a chart on.
struct ChartPaper {
  double width = 720;  ///< pixels; a chart that needs more takes more
  /// True in a report: the colours are variables of its style sheet, so that the chart is light or dark as the page is,
  /// and title and caption stand beside it. False: a picture of its own on white, with both.
  bool is_page = false;

  [[nodiscard]] const ChartInk& ink() const;
};

/// How one series is told from the others: by colour, and again by shape and dash.
struct SeriesStyle {
  std::string_view color;
  std::size_t shape = 0;  ///< shape of kShapes
  std::string_view dash;  ///< for stroke-dasharray; empty: a line without gaps

  /// @param reference  the series in grey, if there is one
  SeriesStyle(const ChartPaper& paper, std::size_t series, std::optional<std::size_t> reference);
};

/// Returns a filled symbol around a point, with a text that shows when the pointer rests on it.
[[nodiscard]] std::string symbol_svg(std::size_t shape, double x, double y, std::string_view color,
                                     std::string_view tip);

}  // namespace holdfast
