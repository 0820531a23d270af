#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/metrics.hpp"
#include "holdfast/domains/taskgraph/plan.hpp"
#include "holdfast/domains/taskgraph/schedule.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <cstdint>
#include <span>

namespace holdfast::taskgraph {

/// Runs a graph under one strategy. At time 0 and at each instant at which something completes:
///  (1) all attempts that complete at exactly this instant give their processors back;
///  (2) tasks whose parents have now all completed, and tasks of which an attempt has just failed,
///      become available, in increasing index; each gets its processors;
///  (3) Discipline::list: one pass over the queue in its order starts every task that fits in what
///  is
///      still free. Discipline::place: each task is placed on the processors that are free first.
/// A failed attempt costs its full duration; nothing that waits for the task is released by it.
///
/// @param plan      make_plan(instance, strategy)
/// @param failures  [n] attempts that fail before one succeeds, or empty for none
/// @param schedule  every attempt is added to it, if there is one
/// Cost: O(n log n + edges), attempts counting as tasks. Source: Perotin's thesis, Algorithm 3.
[[nodiscard]] Metrics simulate(const Instance& instance, const Strategy& strategy, const Plan& plan,
                               std::span<const std::int64_t> failures = {},
                               Schedule* schedule = nullptr);

/// Returns the same with a plan of its own, for one run.
[[nodiscard]] Metrics simulate(const Instance& instance, const Strategy& strategy,
                               std::span<const std::int64_t> failures = {},
                               Schedule* schedule = nullptr);

}  // namespace holdfast::taskgraph
