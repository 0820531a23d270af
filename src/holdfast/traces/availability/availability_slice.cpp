#include "holdfast/traces/availability/availability.hpp"
#include "holdfast/traces/text/slicing.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast {

Result<AvailabilityRecord> sliced(AvailabilityRecord record, const SliceQuestion& question) {
  HOLDFAST_TRY(window, slicing::window_of(question, false, std::nullopt));
  std::vector<std::string> names;
  names.reserve(record.workers.size());
  for (const WorkerHistory& worker : record.workers) names.push_back(worker.name);
  HOLDFAST_TRY(is_kept, slicing::chosen(names, question));
  slicing::keep(record.workers, is_kept);
  record.from = std::max(record.from, window.from);
  record.to = std::min(record.to, window.to);
  bool has_any = false;
  for (WorkerHistory& worker : record.workers) {
    for (StateInterval& interval : worker.intervals) {
      interval.start = std::max(interval.start, record.from);
      interval.end = std::min(interval.end, record.to);
    }
    std::erase_if(worker.intervals, [](const StateInterval& s) { return !(s.start < s.end); });
    has_any = has_any || !worker.intervals.empty();
  }
  if (!has_any) return slicing::nothing_left(question, "worker");
  return record;
}

}  // namespace holdfast
