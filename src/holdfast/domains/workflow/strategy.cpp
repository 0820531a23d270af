#include "holdfast/domains/workflow/strategy.hpp"

#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast::workflow {

double TaskView::young_daly() const {
  return rate > 0 ? young_daly_period(checkpoint, 1 / rate)
                  : std::numeric_limits<double>::infinity();
}

TaskView Situation::view(std::size_t task) const {
  return {.length = instance->lengths[task],
          .checkpoint = instance->checkpoint(task),
          .recovery = instance->recovery(task),
          .downtime = instance->downtime,
          .rate = instance->rate(task),
          .concurrency = concurrency[task]};
}

void LocalStrategy::decide(const Situation& situation, std::span<Cut> cuts) const {
  for (std::size_t task = 0; task < cuts.size(); ++task) cuts[task] = cut(situation.view(task));
}

Cut cut_by_period(double length, double period) {
  const double segments = std::ceil(length / period);
  return {.segments = std::clamp<std::int64_t>(segments < static_cast<double>(kMostSegments)
                                                   ? static_cast<std::int64_t>(segments)
                                                   : kMostSegments,
                                               1, kMostSegments),
          .period = period};
}

}  // namespace holdfast::workflow
