#include "holdfast/traces/availability/interval_history.hpp"

#include <algorithm>

namespace holdfast {
namespace {

using Interval = IntervalHistories::Interval;

/// Returns the intervals in order of time. Intervals that touch or overlap are joined, and those without length are left out.
/// @param[out] overlaps  counts intervals that begin before the end of the one before
std::vector<Interval> joined(std::vector<Interval> intervals, std::int64_t& overlaps) {
  std::sort(intervals.begin(), intervals.end());
  std::vector<Interval> out;
  for (const auto& [start, end] : intervals) {
    if (end <= start) continue;
    if (!out.empty() && start < out.back().second) ++overlaps;
    if (!out.empty() && start <= out.back().second) {
      out.back().second = std::max(out.back().second, end);
    } else {
      out.emplace_back(start, end);
    }
  }
  return out;
}

}  // namespace

void IntervalHistories::add(std::string name, std::vector<Interval> up,
                            std::optional<std::vector<Interval>> watched) {
  empty_ += std::ranges::count_if(up, [](const Interval& one) { return one.second <= one.first; });
  std::int64_t ignored = 0;  // intervals of `watched` normally touch, which is no oddity
  Host host{.name = std::move(name), .up = joined(std::move(up), overlaps_), .watched = {}};
  if (watched) host.watched = joined(std::move(*watched), ignored);
  never_ += host.up.empty() ? 1 : 0;
  hosts_.push_back(std::move(host));
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
    const std::vector<Interval> all = {{from, to}};
    const std::vector<Interval>& watched = host.watched ? *host.watched : all;
    if (watched != all) ++unwatched_;
    WorkerHistory history{.name = std::move(host.name), .intervals = {}};
    auto up = host.up.begin();
    for (const auto& [begin, end] : watched) {
      double since = begin;
      for (; up != host.up.end() && up->first < end; ++up) {
        if (up->first > since) history.intervals.push_back({since, up->first, unavailable});
        history.intervals.push_back({up->first, up->second, WorkerState::up});
        since = up->second;
      }
      if (since < end) history.intervals.push_back({since, end, unavailable});
    }
    record.workers.push_back(std::move(history));
  }
  record.oddities.add("intervals of length 0", empty_, "left out");
  record.oddities.add("intervals that overlap the one before", overlaps_, "joined");
  record.oddities.add("workers that were never up", never_, "kept: unavailable while observed");
  record.oddities.add("workers that were not observed all the time", unwatched_,
                      "nothing is said of the rest of the time");
  return record;
}

}  // namespace holdfast
