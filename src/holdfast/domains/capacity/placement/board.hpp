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

/// What the searches of a target policy, its deferral and its events share: the plans, and what they leave free.
struct Board {
  Board(Room& of, const TargetRules& target_rules);

  Room& room;
  TargetRules rules;
  EarliestStarts starts;
  PlannedStarts plans;
  MachinesInUse machines;
  std::int64_t widest = 1;            ///< most cores of a task
  std::int64_t horizon = 0;           ///< the next change of the capacity, most likely
  std::int64_t last_change = kNever;  ///< when all waiting jobs were placed again
  bool is_filling = false;            ///< they are being placed again now

  /// The task takes its cores on the machine from `start` on.
  void plan(std::size_t task, std::int64_t machine, std::int64_t start) {
    const PlacementRequest& request = starts.request(task);
    starts.reserve({machine, start, request.length, request.cores});
    machines.add_plan(machine);
    note(task, machine, start);
  }
  /// The task starts then; its cores are taken and its machine counts as full already.
  void note(std::size_t task, std::int64_t machine, std::int64_t start) {
    plans.add({start, static_cast<std::uint32_t>(task), static_cast<std::int32_t>(machine)},
              horizon);
  }
  [[nodiscard]] Vicinity near(std::int64_t machine) const {
    return machines_near(machine, rules.distance, machines.count());
  }
};

}  // namespace holdfast::capacity
