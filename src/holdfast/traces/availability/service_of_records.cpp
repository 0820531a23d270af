#include "holdfast/traces/availability/outage_history.hpp"
#include "holdfast/traces/capacity/service_share.hpp"
#include "holdfast/traces/failures/log_notes.hpp"

#include <algorithm>
#include <utility>

namespace holdfast {

Result<CapacitySeries> service_of(const AvailabilityRecord& record) {
  ServiceShare share{static_cast<double>(record.workers.size())};
  share.cover(record.from, record.to);
  for (const WorkerHistory& worker : record.workers) {
    double out_since = record.from;
    for (const StateInterval& interval : worker.intervals) {
      if (interval.state != WorkerState::up) continue;
      share.out(out_since, interval.start);
      out_since = interval.end;
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
  oddities.add("nodes that are named, each of which failed",
               names_failed_alone(log) ? std::ssize(log.nodes) : 0,
               "the share is of these alone: nodes that never failed are not counted");
  HOLDFAST_TRY(record, availability_of(log, oddities));
  HOLDFAST_TRY(series, service_of(record));
  series.is_dated = log.is_dated;
  series.oddities = std::move(oddities);
  return series;
}

}  // namespace holdfast
