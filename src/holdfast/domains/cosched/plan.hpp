#pragma once

#include "holdfast/domains/cosched/live_state.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::cosched {

/// What the advisor says about one event.
struct Advice {
  Allocation allocation;                 ///< after the decision
  double expected_makespan = 0;          ///< with it: date, seconds
  double expected_makespan_without = 0;  ///< if nobody moves
  struct Move {
    std::size_t task = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    double redistribution = 0;  ///< seconds to move its data
    double checkpoint = 0;      ///< seconds of the checkpoint that follows
  };
  std::vector<Move> moves;
  double cost = 0;  ///< the longest time a moved task spends on its move, seconds
  /// The task that the failed processor worked for; kNoTask: nobody is hurt.
  std::size_t faulty = kNoTask;
};

/// Returns one step of the run-time advisor: the loop body of Algorithm 2 for the live state and one event. A failure that
/// hurts no computing task (idle processor, or a task that recovers or moves) changes nothing.
/// Source: specification 8.1.
[[nodiscard]] Advice advise(const LiveState& state, const Strategy& strategy);

/// The best makespan over all allocations at the start and at every completion, by depth-first search with a bound.
/// Fault-free only. Moves cost what the instance says.
struct Optimum {
  double makespan = 0;
  Allocation initial;
  std::int64_t explored = 0;  ///< decisions looked at
};
/// @param limit  decisions over up to 8 tasks; the more tasks, the fewer
/// @returns infeasible when the search would look at more of them, bad_value with failures on
[[nodiscard]] Result<Optimum> optimum(const Instance& instance, std::int64_t limit = 50'000'000);

}  // namespace holdfast::cosched
