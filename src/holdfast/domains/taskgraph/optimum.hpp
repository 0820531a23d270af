#pragma once

#include "holdfast/algorithms/optimal_schedule.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/schedule.hpp"

#include <cstdint>
#include <span>

namespace holdfast::taskgraph {

/// The best result if the whole graph and every failure are known.
struct Optimum {
  double makespan = 0;  ///< seconds
  Schedule schedule;
};

/// Returns the exact optimum of a small graph by branch and bound, starting from the best schedule of the simple strategies. A
/// failed attempt is one more task of a chain, and each attempt may have its own allocation.
/// @param failures  [n] failed attempts, or empty for none
/// @returns infeasible if the search would be too large: more than 64 attempts, tables of times with more than 2^20 entries in
///      all, or more than `most_steps`
[[nodiscard]] Result<Optimum> optimum(const Instance& instance,
                                      std::span<const std::int64_t> failures = {},
                                      std::int64_t most_steps = kMostSearchSteps);

}  // namespace holdfast::taskgraph
