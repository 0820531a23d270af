#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

/// The colours of a chart that the program draws.
struct ChartInk {
  std::string_view ink;                    ///< colour of texts
  std::string_view soft;                   ///< colour of axes and reference lines
  std::string_view line;                   ///< colour of grids
  std::string_view grey;                   ///< colour of the reference series
  std::array<std::string_view, 8> series;  ///< colours of the other series, in order
};

/// The surface on which the program draws a chart.
struct ChartPaper {
  double width = 720;  ///< width in pixels; a chart that needs more takes more
  /// True in a report: the colours are variables of its style sheet, so that the chart follows the page's light or dark mode,
  /// and the page shows title and caption. False: a separate picture on white that shows both itself.
  bool is_page = false;

  /// Returns the colours for this surface.
  [[nodiscard]] const ChartInk& ink() const;
};

/// The look of one series, which differs from others by colour and also by shape and dash.
struct SeriesStyle {
  std::string_view color;
  std::size_t shape = 0;   ///< position in kShapes
  std::string_view dash;   ///< value of stroke-dasharray; empty: a solid line
  bool is_hollow = false;  ///< true: symbols are outlines

  /// @param reference  the series that is drawn in grey, if there is one
  SeriesStyle(const ChartPaper& paper, std::size_t series, std::optional<std::size_t> reference);
};

/// Returns a symbol around a point.
[[nodiscard]] std::string symbol_svg(const SeriesStyle& style, double x, double y);

}  // namespace holdfast
