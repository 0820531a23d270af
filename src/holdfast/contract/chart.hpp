#pragma once

#include <string>
#include <vector>

namespace holdfast {

/// One axis of a chart.
struct ChartAxis {
  std::string title;
  /// "s": ticks in units of time; other units stand beside the title; empty: none.
  std::string unit;
  bool is_logarithmic = false;     ///< true: points that are not positive are left out
  std::vector<double> shown = {};  ///< values that the axis shows in any case, e.g. 0 and 1
};

/// The stroke of a line. A model of another line has the same colour, dashed or dotted.
enum class Stroke { solid, dashed, dotted };

/// One line of a chart.
struct ChartLine {
  std::string name;
  std::vector<double> x;         ///< in increasing order
  std::vector<double> y;         ///< one per x; a value that is not finite makes a gap
  std::vector<double> low = {};  ///< with `high`, a band around the line; empty: none
  std::vector<double> high = {};
  bool is_step = false;    ///< y holds from its x to the next one
  bool is_points = false;  ///< dots without a line: measurements
  bool is_thick = false;   ///< true: the most important line
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
  std::string note = {};      ///< a text below the title
  std::string band = {};      ///< name of the bands around lines, for the legend: "95 % interval"
  std::string left_out = {};  ///< a warning about what it leaves out; empty: nothing
};

}  // namespace holdfast
