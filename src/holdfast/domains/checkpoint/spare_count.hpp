#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/models/resilience/spares.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace holdfast::checkpoint {

/// What a number of spares is worth.
struct SpareRow {
  std::int64_t spares = 0;  ///< S
  double full = 1;          ///< share of the time in which all nodes are there
  double bound = 1;         ///< efficiency with infinitely many spares
  double efficiency = 0;  ///< useful share of the time; 0 if the cost of a checkpoint is not known
  double works =
      1;  ///< share of the time in which the job has enough nodes: `full`, or more if it goes on with fewer
  double idle = 0;             ///< mean number of nodes that are up and not in use
  double shortage_rate = 0;    ///< shortages per second
  double shortage_length = 0;  ///< mean length of one, seconds
  double cost = 0;             ///< node-hours per useful hour of the job
};

/// The same for any number of spares.
using SpareTable = std::function<SpareRow(std::int64_t spares)>;

/// Returns the table of the closed forms, which hold for exponential lives and repairs (for the shares of time also for other
/// laws, if spares fail like the others and no repair waits).
/// @param repair_factor   how much longer repairs take
/// @param repair_failure  the share of the repairs that do not help
[[nodiscard]] SpareTable closed_forms(const Instance& instance, double repair_factor,
                                      double repair_failure);

/// The costs of a job in the long run.
struct SpareCosts : ResilienceCosts {
  double least_period = 0;  ///< the flush of its checkpoints, which each failure costs again
};

/// Returns the costs of the instance's job; its downtime is at least the time until a spare is ready.
[[nodiscard]] SpareCosts spare_costs(const Instance& instance);

/// Fills in efficiency, bound and cost of a row, given the share of the time with all nodes. Without a downtime that is exact for
/// memoryless failures, else the efficiency is a lower bound.
void add_worth(const SpareNodes& nodes, const SpareCosts& costs, SpareRow& row);

/// Returns what a job that goes on with fewer nodes is worth on each number of them.
/// @param nodes  its means, with all its nodes
[[nodiscard]] SmallerJob smaller_job(const Instance& instance, const SpareNodes& nodes,
                                     const SpareCosts& costs);

/// Returns the smallest number up to `most` for which `is_enough`, which holds for all larger numbers then; nothing if there is
/// none.
[[nodiscard]] std::optional<std::int64_t> smallest(
    const std::function<bool(std::int64_t)>& is_enough, std::int64_t most);

}  // namespace holdfast::checkpoint
