#include "holdfast/domains/workflow/expected_bound.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/sum.hpp"
#include "holdfast/models/resilience/period.hpp"
#include "holdfast/models/resilience/segment.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace holdfast::workflow {

double expected_time(const Instance& instance, std::size_t task, std::int64_t segments) {
  const auto count = static_cast<double>(segments);
  const double rate = instance.rate(task);
  if (!(rate > 0)) return instance.lengths[task] + count * instance.checkpoint(task);
  ResilienceCosts costs = {.checkpoint = instance.checkpoint(task),
                           .recovery = instance.recovery(task),
                           .downtime = instance.downtime};
  if (instance.profile == Profile::author) {
    // In the author's simulator nothing strikes a recovery, so it is the same as downtime.
    costs.downtime += std::exchange(costs.recovery, 0);
  }
  return count * expected_segment_time(instance.lengths[task] / count, costs, rate);
}

double least_expected_time(const Instance& instance, std::size_t task) {
  const double rate = instance.rate(task), length = instance.lengths[task];
  if (instance.has_ages()) return length + instance.checkpoint(task);
  if (!(rate > 0) || !(length > 0)) return expected_time(instance, task, 1);
  // The expected time is convex in the number of segments: the best is one of the two whole numbers around the real optimum.
  const double checkpoint = instance.checkpoint(task);
  const double real = checkpoint > 0 ? length / optimal_period(checkpoint, 1 / rate)
                                     : static_cast<double>(kMostSegments);
  if (!(real < static_cast<double>(kMostSegments))) {
    const bool is_author = instance.profile == Profile::author;
    const double recovery = instance.recovery(task);
    // The limit of segments of length 0: the work, and for each failure the downtime and a recovery.
    return is_author ? length * (1 + rate * (instance.downtime + recovery))
                     : length * (1 + rate * instance.downtime) * elementary::exp(rate * recovery);
  }
  const auto below = static_cast<std::int64_t>(std::max(1.0, std::floor(real)));
  return std::min(expected_time(instance, task, below), expected_time(instance, task, below + 1));
}

std::optional<double> expected_bound(const Instance& instance) {
  if (!instance.fixed_outcomes.empty()) return std::nullopt;
  std::vector<double> least(instance.size());
  CompensatedSum area;
  for (std::size_t task = 0; task < least.size(); ++task) {
    least[task] = least_expected_time(instance, task);
    area.add(least[task] * instance.width(task));
  }
  return std::max(critical_path_length(instance.graph, least),
                  area.value() / static_cast<double>(instance.processors));
}

}  // namespace holdfast::workflow
