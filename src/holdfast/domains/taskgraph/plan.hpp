#pragma once

#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::taskgraph {

/// What a strategy decides for each task, as far as it depends on the task alone, made once for all
/// scenarios of an instance. Computing it ahead gives away nothing: under Discipline::list a
/// decision reads only the task (Definition 2 of the source: local decisions).
struct Plan {
  LeastCosts costs;
  std::vector<std::uint32_t> allocations;  ///< [n] first attempts; empty under Discipline::place
  std::vector<double> durations;           ///< [n] seconds; empty under Discipline::place
  std::vector<std::uint32_t> ranks;        ///< [n] place in the queue's order; empty for fifo
};

[[nodiscard]] Plan make_plan(const Instance& instance, const Strategy& strategy);

/// Sort key of each task in the queue, larger first.
[[nodiscard]] std::vector<double> queue_keys(const Instance& instance, QueueOrder order,
                                             std::span<const std::uint32_t> allocations,
                                             std::span<const double> durations);

}  // namespace holdfast::taskgraph
