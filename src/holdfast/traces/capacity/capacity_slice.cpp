#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/text/slicing.hpp"

#include <algorithm>
#include <vector>

namespace holdfast {

Result<CapacitySeries> sliced(CapacitySeries series, const SliceQuestion& question) {
  HOLDFAST_CHECK(slicing::check_lacking(question, true, false, false, "a series of capacity has"));
  HOLDFAST_TRY(window, slicing::window_of(question, series.is_dated, std::nullopt));
  std::vector<SeriesPoint> points;
  for (const SeriesPoint& point : series.points) {
    if (point.time >= window.to) break;
    if (point.time <= window.from) points.clear();  // only the last one before is valid
    points.push_back({std::max(point.time, window.from), point.value});
  }
  const double end = std::min(series.end, window.to);
  // The last value may be valid for no time at all, if the file ends with it.
  if (points.empty() || points.front().time > end ||
      (points.front().time == end && series.end != series.points.front().time)) {
    return slicing::nothing_left(question, "value");
  }
  series.points = std::move(points);
  series.end = end;
  return series;
}

}  // namespace holdfast
