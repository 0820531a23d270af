#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// One axis of a chart.
struct ChartAxis {
  std::string title;
  std::string unit;  ///< "s": ticks in units of time; else it stands beside the title; empty: none
  bool is_logarithmic = false;     ///< points that are not positive are then left out
  std::vector<double> shown = {};  ///< values that the axis reaches in any case, e.g. 0 and 1
};

/// How a line is drawn: models of what another line shows share its colour, dashed or dotted.
enum class Stroke { solid, dashed, dotted };

/// One line of a chart.
struct ChartLine {
  std::string name;
  std::vector<double> x;         ///< in increasing order
  std::vector<double> y;         ///< as many; not finite: a gap
  std::vector<double> low = {};  ///< with `high`, a band around the line; empty: none
  std::vector<double> high = {};
  bool is_step = false;    ///< y holds from its x to the next one
  bool is_points = false;  ///< dots that no line joins: measurements
  bool is_thick = false;   ///< the one that counts
  Stroke stroke = Stroke::solid;
  /// Name of the line whose colour it shares; empty: a colour of its own.
  std::string color_of = {};
};

/// Lines over two axes.
struct LineChart {
  std::string title;
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartLine> lines;
  std::string note = {};  ///< below the title
  std::string band = {};  ///< what bands around lines are, for the legend: "95 % interval"
};

/// Returns the chart as a picture of its own, 720 pixels wide and legible on a phone, in colours that colour-blind readers can
/// tell apart. The legend stands above the lines, never on them.
/// @pre at least one point is finite (and positive on logarithmic axes)
[[nodiscard]] std::string to_svg(const LineChart& chart);

}  // namespace holdfast
