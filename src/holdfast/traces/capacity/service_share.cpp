#include "holdfast/traces/capacity/service_share.hpp"

#include "holdfast/traces/availability/outage_history.hpp"

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

Result<CapacitySeries> service_of(const AvailabilityRecord& record) {
  ServiceShare share{static_cast<double>(record.workers.size())};
  share.cover(record.from, record.to);
  for (const WorkerHistory& worker : record.workers) {
    double out_since = record.from;
    for (const StateStretch& stretch : worker.stretches) {
      if (stretch.state != WorkerState::up) continue;
      share.out(out_since, stretch.start);
      out_since = stretch.end;
    }
    share.out(out_since, record.to);
  }
  HOLDFAST_TRY(series, std::move(share).finish());
  series.oddities = record.oddities;
  return series;
}

Result<CapacitySeries> service_of(const FailureLog& log) {
  const bool takes_time = std::ranges::any_of(
      log.outages, [](const Outage& outage) { return outage.up > outage.down; });
  if (!takes_time) {
    return fail(ErrorCode::bad_format, "",
                "found outages of length 0 alone, expected some that say when they ended");
  }
  Oddities oddities = log.oddities;
  HOLDFAST_TRY(record, availability_of(log, oddities));
  HOLDFAST_TRY(series, service_of(record));
  series.is_dated = log.is_dated;
  series.oddities = std::move(oddities);
  return series;
}

}  // namespace holdfast
