#pragma once

#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// The decisions of a strategy for up to g attempts of every job.
struct Plan {
  std::vector<std::vector<std::int64_t>> allocations;  ///< [n][g] processors
  std::vector<std::vector<double>> durations;          ///< [n][g] seconds
  /// L of Eq. (2.8), seconds: no schedule of this allotment ends earlier.
  double allotment_bound = 0;
  double relaxed_bound = 0;  ///< seconds: no allotment has a smaller L
  double lower_bound = 0;    ///< L' for g attempts of every job, seconds
};

/// Returns the probabilities that there are exactly 1, 2 ... batches of 1, 2, 4 ... attempts, until the rest is below 1e-12 or
/// 40 are listed: R_b - R_(b-1), where R_b = prod_j (1 - q_j^(2^b - 1)).
/// @param exposures  [n] -ln(1 - q_j), where q_j is the probability that an attempt fails
/// Source: Perotin's thesis, Lemma 10.
[[nodiscard]] std::vector<double> batch_probabilities(std::span<const double> exposures);

/// Returns the decisions of a strategy for up to g attempts of every job.
/// @param attempts  g, at least 1
[[nodiscard]] Plan make_plan(const PreparedInstance& prepared, const Strategy& strategy,
                             std::int64_t attempts);

}  // namespace holdfast::moldable
