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
  double allotment_bound = 0;  ///< L of Eq. (2.8): no schedule of this allotment ends earlier, s
  double relaxed_bound = 0;    ///< no allotment has a smaller L, s
  double lower_bound = 0;      ///< L' for g attempts of every job, s
};

/// Probability that batches of 1, 2, 4 ... attempts are exactly 1, 2 ... in number, until the rest is
/// below 1e-12 or 40 are listed: R_b - R_(b-1), R_b = prod_j (1 - q_j^(2^b - 1)).
/// @param exposures  [n] -ln(1 - q_j), q_j the probability that an attempt fails
/// Source: Perotin's thesis, Lemma 10.
[[nodiscard]] std::vector<double> batch_probabilities(std::span<const double> exposures);

/// @param attempts  g >= 1
[[nodiscard]] Plan make_plan(const PreparedInstance& prepared, const Strategy& strategy,
                             std::int64_t attempts);

}  // namespace holdfast::moldable
