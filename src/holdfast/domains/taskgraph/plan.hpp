#pragma once

#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::taskgraph {

/// The decisions of a strategy for each task, as far as they depend only on the task. They are made once for all scenarios of
/// an instance. Making them in advance does not use more information: under Discipline::list a decision reads only the task
/// (Definition 2 of the source: local decisions).
struct Plan {
  LeastCosts costs;
  /// [n] allocation of the first attempt; empty under Discipline::place.
  std::vector<std::uint32_t> allocations;
  /// [n] duration in seconds; empty under Discipline::place.
  std::vector<double> durations;
  std::vector<std::uint32_t> ranks;  ///< [n] position in the queue's order; empty for fifo
  /// [n] the most processors that a task gets; empty if the strategy decides alone. Source: widest_with_errors()
  std::vector<std::int64_t> widest;

  /// Returns the processors of an attempt, for which the strategy has chosen so many.
  [[nodiscard]] std::int64_t allowed(std::size_t task, std::int64_t chosen) const {
    return widest.empty() ? chosen : std::min(chosen, widest[task]);
  }
};

[[nodiscard]] Plan make_plan(const Instance& instance, const Strategy& strategy);

/// Returns the sort key of each task in the queue; larger keys come first.
[[nodiscard]] std::vector<double> queue_keys(const Instance& instance, QueueOrder order,
                                             std::span<const std::uint32_t> allocations,
                                             std::span<const double> durations);

}  // namespace holdfast::taskgraph
