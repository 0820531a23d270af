#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/metrics.hpp"
#include "holdfast/domains/taskgraph/plan.hpp"
#include "holdfast/domains/taskgraph/schedule.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <cstdint>
#include <span>

namespace holdfast::taskgraph {

/// Runs a graph under one strategy. At time 0 and whenever something completes:
///  (1) all attempts that complete at exactly this instant give their processors back;
///  (2) tasks whose parents have now all completed, and tasks of which an attempt has just failed, become available in
///      increasing index, once they have been released, and each gets its number of processors;
///  (3) Discipline::list: one pass over the queue in its order starts every task that still fits. Discipline::place:
///      each task is placed on the processors that are free first.
/// A failed attempt costs its full duration, or the time until it is struck, and no task that waits for it is released.
///
/// @param plan      make_plan(instance, strategy)
/// @param failures  [n] failed attempts before the first success, or empty for none
/// @param schedule  receives every attempt; may be null
/// @param strikes   what strikes attempts instead, if it depends on their processors whether they fail; may be null
/// Cost: O(n log n + edges), where attempts count as tasks. Source: Perotin's thesis, Algorithm 3.
[[nodiscard]] Metrics simulate(const Instance& instance, const Strategy& strategy, const Plan& plan,
                               std::span<const std::int64_t> failures = {},
                               Schedule* schedule = nullptr, const Strikes* strikes = nullptr);

/// Returns the same with its own plan, for one run.
[[nodiscard]] Metrics simulate(const Instance& instance, const Strategy& strategy,
                               std::span<const std::int64_t> failures = {},
                               Schedule* schedule = nullptr);

}  // namespace holdfast::taskgraph
