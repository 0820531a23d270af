#pragma once

#include "holdfast/algorithms/checkpoints/objective.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <string>
#include <vector>

namespace holdfast::checkpoint {

/// The plan of a strategy from now on if nothing fails, and its value until the next failure.
struct Plan {
  std::vector<double> cuts;   ///< work done at each checkpoint, seconds
  std::vector<Level> levels;  ///< levels of these checkpoints; empty: all are global
  checkpoints::Worth worth;   ///< computed on the strategy's own grid, if it has one
  /// Efficiency of the same cuts without a grid, comparable with worth.share of other strategies.
  double continuous_share = 0;
  std::vector<Candidate> candidates;  ///< numbers of checkpoints compared by the first decision
  std::vector<std::string> warnings;
};

/// Asks the strategy until all the work is planned (for an endless job, until survival becomes unlikely).
/// @returns an error for more than a million checkpoints
/// @pre instance.law; check(instance) holds
[[nodiscard]] Result<Plan> make_plan(const Instance& instance, Strategy& strategy);

}  // namespace holdfast::checkpoint
