#include "holdfast/domains/workflow/plan.hpp"

#include "holdfast/domains/workflow/expected_bound.hpp"
#include "holdfast/math/sum.hpp"
#include "holdfast/models/resilience/concurrent.hpp"
#include "holdfast/models/resilience/segment.hpp"

#include <algorithm>
#include <limits>

namespace holdfast::workflow {
namespace {

ResilienceCosts costs_of(const Instance& instance, std::size_t task) {
  return {.checkpoint = instance.checkpoint(task),
          .recovery = instance.recovery(task),
          .downtime = instance.downtime};
}

std::optional<double> ratio_bound(const PreparedInstance& prepared, std::span<const Cut> cuts,
                                  bool same_concurrency) {
  const Instance& instance = *prepared.instance;
  if (!(1 / instance.mtbf > 0) || instance.has_ages()) return std::nullopt;
  const std::uint32_t most = std::ranges::max(prepared.concurrency);
  double worst = 0;
  for (std::size_t task = 0; task < cuts.size(); ++task) {
    if (!(instance.lengths[task] > 0)) continue;
    const SegmentedTask segmented{.work = instance.lengths[task],
                                  .segments = cuts[task].segments,
                                  .rate = instance.rate(task)};
    const double beside = same_concurrency ? most : prepared.concurrency[task];
    worst = std::max(worst, slowest_ratio_bound(beside, segmented, costs_of(instance, task)));
  }
  if (!(worst > 0 && worst < 1e300)) return std::nullopt;
  return 2 * worst;
}

}  // namespace

Plan make_plan(const PreparedInstance& prepared, std::span<const Cut> cuts, bool same_concurrency) {
  const Instance& instance = *prepared.instance;
  Plan out;
  out.tasks.resize(instance.size());
  CompensatedSum work;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    TaskAdvice& advice = out.tasks[task];
    advice.order = prepared.ranked.rank_of[task];
    advice.start = prepared.schedule.starts[task];
    advice.concurrency = prepared.concurrency[task];
    advice.cut = cuts[task];
    advice.segment_length = instance.lengths[task] / static_cast<double>(cuts[task].segments);
    advice.expected_time = instance.has_ages() ? std::numeric_limits<double>::infinity()
                                               : expected_time(instance, task, cuts[task].segments);
    work.add(instance.lengths[task] * instance.width(task));
  }
  out.failure_free_makespan = prepared.schedule.makespan;
  out.planned_makespan = Simulator(prepared, cuts).failure_free_makespan();
  out.critical_path = critical_path_length(instance.graph, instance.lengths);
  out.total_work = work.value();
  out.ratio_bound = ratio_bound(prepared, cuts, same_concurrency);
  return out;
}

}  // namespace holdfast::workflow
