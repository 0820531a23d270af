#include "holdfast/domains/capacity/placement/placement_state.hpp"

#include <algorithm>

namespace holdfast::capacity {
namespace {

// A distance or a pack of more machines than there are makes no difference, so both are cut.
TargetRules cut(TargetRules rules, std::int64_t machines) {
  rules.distance = std::min(rules.distance, machines);
  rules.pack = std::min(rules.pack, machines + 1);
  return rules;
}

EarliestStarts::Memory memory_of(const TargetRules& rules) {
  using enum EarliestStarts::Memory;
  if (rules.looks_to_horizon() || rules.lane_width() > 1) return by_class;
  return rules.author ? by_length : both;
}

}  // namespace

PlacementState::PlacementState(ClusterState& of, const TargetRules& target_rules)
    : cluster{of},
      rules{cut(target_rules, of.instance().machines)},
      starts{of, memory_of(rules)},
      plans{rules.author},
      machines{of, rules} {
  for (const Task& task : of.tasks()) widest = std::max(widest, task.cores);
}

}  // namespace holdfast::capacity
