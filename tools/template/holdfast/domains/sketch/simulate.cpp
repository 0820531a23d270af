#include "holdfast/domains/sketch/simulate.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::sketch {

Metrics simulate(const Instance& instance, Strategy& strategy, std::vector<ScheduleRow>* rows) {
  assert(instance.dates);
  Metrics metrics;
  auto next = instance.dates->begin();
  State state{.now = 0, .work_left = instance.work};
  while (state.work_left > 0) {
    const double segment = strategy.next_segment(state);
    assert(segment > 0 && segment <= state.work_left);
    const double end = state.now + segment + instance.save;
    next = std::lower_bound(next, instance.dates->end(), state.now);
    const bool lost = next != instance.dates->end() && *next < end;  // at the end the save is safe
    const double stop = lost ? *next++ : end;
    if (rows != nullptr) rows->push_back({state.now, stop, lost});
    state.now = stop;
    if (lost) {
      ++metrics.failures;
    } else {
      state.work_left -= segment;
    }
  }
  metrics.makespan = state.now;
  return metrics;
}

}  // namespace holdfast::sketch
