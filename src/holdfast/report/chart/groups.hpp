#pragma once

#include "holdfast/report/page.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The meaning of an axis, of the series or of the small charts: positions with their texts.
struct ChartDimension {
  std::string title;  ///< "platform_age"; with `numbers`, also the unit: "platform_age (d)"
  std::vector<std::string> labels;  ///< texts in order; empty: the chart has no such dimension
  /// One number per label, increasing; empty: the labels are not numbers.
  std::vector<double> numbers = {};
  bool is_logarithmic = false;
};

/// The quantity that a chart shows.
struct ChartQuantity {
  std::string title;                ///< "makespan (h)"
  bool is_logarithmic = false;      ///< @pre if true, every value is positive
  std::optional<double> rule = {};  ///< a line for comparison, above which is better: 0 for gains
  std::string center = "mean";      ///< name of the centre
  std::string band = "95 % interval";  ///< name of the band around it
};

inline constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

/// The statistics at one place of a chart; kAbsent for those that do not exist.
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

/// Groups of cells over x, separated by series and facet.
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

/// Returns boxes from p25 to p75 with whiskers to p10 and p90, the median as a tick, and the centre with its interval as a
/// point, like the boxes in the figures of the sources.
[[nodiscard]] PageChart box_chart(const GroupChart& chart);

/// Returns the centres as lines with bands. @pre x has numbers
[[nodiscard]] PageChart line_chart(const GroupChart& chart);

/// Returns the centres as points with their intervals, for an x made of texts.
[[nodiscard]] PageChart point_chart(const GroupChart& chart);

/// Returns the centres as colours of cells at (x, series). For ratios, blue means better than 1, orange worse, and white equal.
[[nodiscard]] PageChart heat_chart(const GroupChart& chart);

/// One point of a distribution: the fraction of the values that are at most `value`.
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

/// Returns empirical distribution functions as steps.
[[nodiscard]] PageChart curve_chart(const CurveChart& chart);

}  // namespace holdfast
