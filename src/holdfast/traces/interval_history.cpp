#include "holdfast/traces/interval_history.hpp"

#include <algorithm>

namespace holdfast {

void IntervalHistories::add(std::string name, std::vector<Interval> up) {
  std::sort(up.begin(), up.end());
  std::vector<Interval> joined;
  for (const auto& [start, end] : up) {
    if (end <= start) {
      ++empty_;
      continue;
    }
    if (!joined.empty() && start < joined.back().second) ++overlaps_;
    if (!joined.empty() && start <= joined.back().second) {
      joined.back().second = std::max(joined.back().second, end);
    } else {
      joined.emplace_back(start, end);
    }
  }
  never_ += joined.empty() ? 1 : 0;
  hosts_.push_back({std::move(name), std::move(joined)});
}

AvailabilityRecord IntervalHistories::finish(std::string format, double from, double to,
                                             WorkerState unavailable) {
  AvailabilityRecord record{.format = std::move(format),
                            .from = from,
                            .to = to,
                            .workers = {},
                            .is_two_state = true,
                            .oddities = {}};
  for (Host& host : hosts_) {
    WorkerHistory history{.name = std::move(host.name), .stretches = {}};
    double since = from;
    for (const auto& [start, end] : host.up) {
      if (start > since) history.stretches.push_back({since, start, unavailable});
      history.stretches.push_back({start, end, WorkerState::up});
      since = end;
    }
    if (since < to) history.stretches.push_back({since, to, unavailable});
    record.workers.push_back(std::move(history));
  }
  record.oddities.add("intervals of length 0", empty_, "left out");
  record.oddities.add("intervals that overlap the one before", overlaps_, "joined");
  record.oddities.add("workers that were never up", never_, "kept: unavailable all the time");
  return record;
}

}  // namespace holdfast
