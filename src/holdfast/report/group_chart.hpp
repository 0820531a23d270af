#pragma once

#include "holdfast/report/page.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// What stands along an axis, tells series apart, or heads small charts: positions with their texts.
struct ChartDimension {
  std::string title;  ///< "platform_age"; with `numbers` its unit too: "platform_age (d)"
  std::vector<std::string> labels;   ///< in order; empty: the chart has no such dimension
  std::vector<double> numbers = {};  ///< as many, in increasing order; empty: they are no numbers
  bool is_logarithmic = false;
};

/// What is measured.
struct ChartQuantity {
  std::string title;                   ///< "makespan (h)"
  bool is_logarithmic = false;         ///< @pre then every value is positive
  std::optional<double> rule = {};     ///< a line that values are compared with: 1 for ratios
  bool is_better_above = true;         ///< is better above of the rule
  std::string center = "mean";         ///< what the centre is called
  std::string band = "95 % interval";  ///< and what lies around it
};

inline constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

/// Statistics of one place of a chart; kAbsent if there is none.
struct ChartGroup {
  std::size_t facet = 0;
  std::size_t x = 0;
  std::size_t series = 0;
  double count = 0;
  double center = kAbsent;
  double low = kAbsent;  ///< with `high`, the interval of the centre
  double high = kAbsent;
  double p10 = kAbsent;
  double p25 = kAbsent;
  double median = kAbsent;
  double p75 = kAbsent;
  double p90 = kAbsent;
};

/// Groups of cells over x, apart by series and facet.
struct GroupChart {
  std::string id;
  std::string title;
  std::string caption;
  ChartDimension x;
  ChartDimension series;
  ChartDimension facet;
  ChartQuantity quantity;
  std::vector<ChartGroup> groups;
  std::optional<std::size_t> reference;  ///< series in grey
};

/// Boxes from p25 to p75 with whiskers to p10 and p90, the median as a tick and the centre, with its interval, as a
/// point: the boxes of the sources' figures.
[[nodiscard]] PageChart box_chart(const GroupChart& chart);

/// Returns the centres as lines, with bands. @pre x has numbers
[[nodiscard]] PageChart line_chart(const GroupChart& chart);

/// Returns the centres as points with their intervals, for an x of texts.
[[nodiscard]] PageChart point_chart(const GroupChart& chart);

/// Returns the centres as the colour of a cell at (x, series): of ratios blue where they are better than 1, orange where they are
/// worse, white at 1.
[[nodiscard]] PageChart heat_chart(const GroupChart& chart);

/// One point of a distribution: this fraction of the values is at most `value`.
struct CurvePoint {
  std::size_t facet = 0;
  std::size_t series = 0;
  double value = 0;
  double fraction = 0;
};

struct CurveChart {
  std::string id;
  std::string title;
  std::string caption;
  ChartDimension series;
  ChartDimension facet;
  ChartQuantity quantity;
  std::vector<CurvePoint> points;  ///< points of each curve in increasing order
  std::optional<std::size_t> reference;
};

/// Empirical distribution functions as steps.
[[nodiscard]] PageChart curve_chart(const CurveChart& chart);

}  // namespace holdfast
