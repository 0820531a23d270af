#pragma once

#include "holdfast/algorithms/checkpoints/objective.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <string>
#include <vector>

namespace holdfast::checkpoint {

/// The plan of a strategy from now on if nothing fails, and its worth until the next failure.
struct Plan {
  std::vector<double> cuts;   ///< work done at each checkpoint, seconds
  std::vector<Level> levels;  ///< of these checkpoints; empty: all are global
  checkpoints::Worth worth;   ///< on the strategy's own grid, where it has one
  double continuous_efficiency =
      0;  ///< of the same cuts without a grid; what worth.efficiency is elsewhere
  std::vector<Candidate> candidates;  ///< numbers of checkpoints compared by the first decision
  std::vector<std::string> warnings;
};

/// Asks the strategy until all the work is planned (of a job without end: until nothing is likely to survive).
/// @returns an error for more than a million checkpoints. @pre instance.law; check(instance) holds
[[nodiscard]] Result<Plan> make_plan(const Instance& instance, Strategy& strategy);

}  // namespace holdfast::checkpoint
