#include "holdfast/domains/taskgraph/strategies/earliest_completion.hpp"

#include "holdfast/domains/taskgraph/strategies/makers.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace holdfast::taskgraph {
namespace {

constexpr double kTie = 1e-12;

/// Calls visit(first, last, start) for each run of equal start times, in which the task may have
/// from `first` to `last` processors; stops when visit returns true.
template <class Visit>
void for_each_run(const Arrival& arrival, std::int64_t fastest, const Visit& visit) {
  std::int64_t before = 0;
  for (const FreeTimes::Run& run : arrival.free_times->runs()) {
    const std::int64_t last = std::min(fastest, before + run.count);
    if (visit(before + 1, last, std::max(arrival.now, run.time))) return;
    if (last == fastest) return;
    before = last;
  }
}

/// Returns the fewest processors in [first, last] on which the task takes at most `time`; last + 1
/// if there are none.
std::int64_t fewest_within(const Speedup& speedup, std::int64_t first, std::int64_t last,
                           double time) {
  if (speedup.is_monotone()) {
    if (!(speedup.time(last) <= time)) return last + 1;
    // `last` is at most the fastest number, so times decrease up to it.
    return std::max(first, smallest_within_time(speedup, last, time));
  }
  std::int64_t p = first;
  while (p <= last && !(speedup.time(p) <= time)) ++p;
  return p;
}

/// Returns the least time of the task on first..last processors.
double least_time(const Speedup& speedup, std::int64_t first, std::int64_t last) {
  if (speedup.is_monotone()) return speedup.time(last);
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t p = first; p <= last; ++p) least = std::min(least, speedup.time(p));
  return least;
}

}  // namespace

std::int64_t EarliestCompletion::allocate(const Arrival& arrival) const {
  assert(arrival.free_times != nullptr);
  const Speedup& speedup = arrival.speedup;
  const std::int64_t fastest = speedup.fastest(processors_);
  double earliest = std::numeric_limits<double>::infinity();
  for_each_run(arrival, fastest, [&](std::int64_t first, std::int64_t last, double start) {
    earliest = std::min(earliest, start + least_time(speedup, first, last));
    return false;
  });
  const double limit = earliest * (1 + kTie);
  std::int64_t chosen = fastest;
  for_each_run(arrival, fastest, [&](std::int64_t first, std::int64_t last, double start) {
    if (!(start + least_time(speedup, first, last) <= limit)) return false;
    // limit - start is rounded: a number that attains the least time of the run is always accepted.
    const double time = std::max(limit - start, least_time(speedup, first, last));
    chosen = std::min(fewest_within(speedup, first, last, time), last);
    return true;
  });
  return chosen;
}

Made make_earliest_completion(const StrategySpec&, const Instance& instance) {
  return std::make_unique<EarliestCompletion>(instance);
}

}  // namespace holdfast::taskgraph
