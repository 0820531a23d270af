#pragma once

#include "holdfast/domains/cosched/live_state.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::cosched {

/// The advisor's decision for one event.
struct Advice {
  Allocation allocation;                 ///< allocation after the decision
  double expected_makespan = 0;          ///< expected end with this allocation: date in seconds
  double expected_makespan_without = 0;  ///< expected end if no task moves
  struct Move {
    std::size_t task = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    double redistribution = 0;  ///< seconds to move its data
    double checkpoint = 0;      ///< seconds of the checkpoint that follows
  };
  std::vector<Move> moves;
  double cost = 0;  ///< the longest time that a moved task spends on its move, seconds
  /// The task that used the failed processor; kNoTask: no task is affected.
  std::size_t faulty = kNoTask;
};

/// Returns one step of the run-time advisor: the loop body of Algorithm 2 for the live state and one event. A failure that
/// affects no computing task (an idle processor, or a task that recovers or moves) changes nothing.
[[nodiscard]] Advice advise(const LiveState& state, const Strategy& strategy);

/// The best makespan over all allocations at the start and at every completion, found by depth-first search with a bound. Only
/// for instances without failures. Moves have the costs of the instance.
struct Optimum {
  double makespan = 0;  ///< seconds
  Allocation initial;
  std::int64_t explored = 0;  ///< number of decisions examined
};
/// Finds this optimum.
/// @param limit  largest number of decisions; at most 8 tasks are allowed
/// @returns infeasible if the search would exceed the limit, bad_value if there are failures
[[nodiscard]] Result<Optimum> optimum(const Instance& instance, std::int64_t limit = 50'000'000);

}  // namespace holdfast::cosched
