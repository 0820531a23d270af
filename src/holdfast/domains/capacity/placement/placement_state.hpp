#pragma once

#include "holdfast/domains/capacity/cluster_state.hpp"
#include "holdfast/domains/capacity/placement/earliest_starts.hpp"
#include "holdfast/domains/capacity/placement/machines_in_use.hpp"
#include "holdfast/domains/capacity/placement/planned_starts.hpp"
#include "holdfast/domains/capacity/placement/request.hpp"
#include "holdfast/domains/capacity/placement/target_rules.hpp"

#include <cstddef>
#include <cstdint>

namespace holdfast::capacity {

/// The data that the searches, the deferral and the events of a target policy share: the plans, and the cores that they leave
/// free.
struct PlacementState {
  PlacementState(ClusterState& of, const TargetRules& target_rules);

  ClusterState& cluster;
  TargetRules rules;
  EarliestStarts starts;
  PlannedStarts plans;
  MachinesInUse machines;
  std::int64_t widest = 1;            ///< largest number of cores of a task
  std::int64_t horizon = 0;           ///< expected time of the next change of the capacity
  std::int64_t last_change = kNever;  ///< time at which all waiting jobs were last placed again
  bool is_filling = false;            ///< true while all waiting jobs are being placed again

  /// Plans the task for that slot.
  void plan(std::size_t task, const Slot& slot) {
    machines.add_plan(slot.machine);
    note(task, slot);
  }
  /// Plans the task for that slot; the machine counts as full already.
  void note(std::size_t task, const Slot& slot) {
    starts.reserve(slot);
    plans.add(
        {slot.start, static_cast<std::uint32_t>(task), static_cast<std::int32_t>(slot.machine)},
        horizon);
  }
  /// Returns the machines in use, for jobs with that number of cores, within the distance D+ of a machine. Some may be too small.
  [[nodiscard]] MachineRange near(std::int64_t machine, std::int64_t cores) const {
    return machines_near(machine, rules.distance, machines.end_for(cores));
  }
};

}  // namespace holdfast::capacity
