#include "holdfast/domains/taskgraph/plan.hpp"

#include "holdfast/algorithms/priority_order.hpp"
#include "holdfast/contract/rule_run.hpp"

#include <cassert>

namespace holdfast::taskgraph {

std::vector<double> queue_keys(const Instance& instance, QueueOrder order,
                               std::span<const std::uint32_t> allocations,
                               std::span<const double> durations) {
  if (order == QueueOrder::bottom_level) return bottom_levels(instance.graph, durations);
  std::vector<double> keys(instance.size());
  for (std::size_t task = 0; task < instance.size(); ++task) {
    const double processors = allocations[task];
    keys[task] = order == QueueOrder::lpt   ? durations[task]
                 : order == QueueOrder::hpa ? processors
                                            : processors * durations[task];
  }
  return keys;
}

Plan make_plan(const Instance& instance, const Strategy& strategy) {
  Plan plan;
  plan.costs = least_costs(instance);
  // What a person or a rule of one's own has chosen is not changed.
  if (!strategy.is_given() && by_rule(strategy) == nullptr) {
    plan.widest = widest_with_errors(instance);
  }
  if (strategy.discipline() == Discipline::place) return plan;
  plan.allocations.reserve(instance.size());
  plan.durations.reserve(instance.size());
  for (std::size_t task = 0; task < instance.size(); ++task) {
    const Speedup& speedup = instance.tasks[task];
    const std::int64_t processors =
        plan.allowed(task, strategy.allocate({.task = task, .speedup = speedup}));
    assert(processors >= 1 && processors <= speedup.limit(instance.processors));
    plan.allocations.push_back(static_cast<std::uint32_t>(processors));
    plan.durations.push_back(speedup.time(processors));
  }
  if (strategy.order() == QueueOrder::fifo) return plan;
  const auto keys = queue_keys(instance, strategy.order(), plan.allocations, plan.durations);
  const auto order = priority_order(keys);
  plan.ranks.resize(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    plan.ranks[order[rank]] = static_cast<std::uint32_t>(rank);
  }
  return plan;
}

}  // namespace holdfast::taskgraph
