#include "holdfast/domains/taskgraph/free_times.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::taskgraph {

double FreeTimes::when_free(std::int64_t processors) const {
  for (const Run& run : runs_) {
    processors -= run.count;
    if (processors <= 0) return run.time;
  }
  assert(false && "more processors than the machine has");
  return runs_.back().time;
}

void FreeTimes::take(std::int64_t processors, double until) {
  assert(until >= when_free(processors));
  std::size_t emptied = 0;
  for (std::int64_t left = processors; left > 0;) {
    Run& run = runs_[emptied];
    const std::int64_t taken = std::min(left, run.count);
    run.count -= taken;
    left -= taken;
    if (run.count == 0) ++emptied;
  }
  const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(emptied);
  const auto place = std::lower_bound(first, runs_.end(), until,
                                      [](const Run& run, double time) { return run.time < time; });
  if (place != runs_.end() && place->time == until) {
    place->count += processors;
    runs_.erase(runs_.begin(), first);
  } else if (emptied > 0) {
    // The new run takes the slot of the last emptied one: the runs in between move down by one.
    std::move(first, place, first - 1);
    *(place - 1) = {until, processors};
    runs_.erase(runs_.begin(), first - 1);
  } else {
    runs_.insert(place, {until, processors});
  }
}

void FreeTimes::forget_before(double now) {
  std::size_t past = 0;
  std::int64_t count = 0;
  while (past < runs_.size() && runs_[past].time <= now) count += runs_[past++].count;
  if (past == 0) return;
  runs_[past - 1] = {now, count};
  runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(past - 1));
}

}  // namespace holdfast::taskgraph
