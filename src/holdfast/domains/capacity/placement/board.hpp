#pragma once

#include "holdfast/domains/capacity/placement/earliest_starts.hpp"
#include "holdfast/domains/capacity/placement/machines_in_use.hpp"
#include "holdfast/domains/capacity/placement/planned_starts.hpp"
#include "holdfast/domains/capacity/placement/request.hpp"
#include "holdfast/domains/capacity/placement/target_rules.hpp"
#include "holdfast/domains/capacity/room.hpp"

#include <cstddef>
#include <cstdint>

namespace holdfast::capacity {

/// The data that the searches, the deferral and the events of a target policy share: the plans, and the cores that they leave
/// free.
struct Board {
  Board(Room& of, const TargetRules& target_rules);

  Room& room;
  TargetRules rules;
  EarliestStarts starts;
  PlannedStarts plans;
  MachinesInUse machines;
  std::int64_t widest = 1;            ///< largest number of cores of a task
  std::int64_t horizon = 0;           ///< the next change of the capacity, as it is expected
  std::int64_t last_change = kNever;  ///< time at which all waiting jobs were last placed again
  bool is_filling = false;            ///< true while they are being placed again

  /// Plans that the task takes its cores on the machine from `start` on.
  void plan(std::size_t task, std::int64_t machine, std::int64_t start) {
    const PlacementRequest& request = starts.request(task);
    starts.reserve({machine, start, request.length, request.cores});
    machines.add_plan(machine);
    note(task, machine, start);
  }
  /// Records a planned start whose cores are taken already; its machine already counts as full.
  void note(std::size_t task, std::int64_t machine, std::int64_t start) {
    plans.add({start, static_cast<std::uint32_t>(task), static_cast<std::int32_t>(machine)},
              horizon);
  }
  [[nodiscard]] Vicinity near(std::int64_t machine) const {
    return machines_near(machine, rules.distance, machines.count());
  }
};

}  // namespace holdfast::capacity
