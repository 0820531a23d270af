#include "holdfast/traces/capacity/service_share.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast {

void ServiceShare::cover(double from, double to) {
  from_ = std::min(from_, from);
  to_ = std::max(to_, to);
}

void ServiceShare::out(double start, double end, double amount) {
  if (!(end > start)) return;
  cover(start, std::isinf(end) ? start : end);
  changes_.push_back({start, amount});
  changes_.push_back({end, -amount});
}

Result<CapacitySeries> ServiceShare::finish() && {
  if (!(to_ > from_)) {
    return fail(ErrorCode::bad_format, "",
                "found nothing that was out of service for any time, expected at least one outage");
  }
  CapacitySeries series{.of = SeriesOf::in_service,
                        .points = {{from_, 1}},
                        .end = to_,
                        .is_dated = false,
                        .oddities = {}};
  std::ranges::stable_sort(changes_, {}, &Change::time);
  double out = 0;
  for (const Change& change : changes_) {
    if (change.time >= to_) break;
    out += change.amount;
    const SeriesPoint point{change.time, 1 - std::min(out, whole_) / whole_};
    if (series.points.back().time == point.time) series.points.pop_back();
    series.points.push_back(point);
  }
  return series;
}

}  // namespace holdfast
