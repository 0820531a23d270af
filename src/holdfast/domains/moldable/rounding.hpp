#pragma once

#include "holdfast/domains/moldable/balance_rules.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>

namespace holdfast::moldable {

/// Finds the allotment of balance() by a method that is within 1 + epsilon (and a search tolerance of 1e-4) of the best
/// possible for any job, at a higher cost. It is used if the relaxed bound does not certify the result.
///
/// Tables: for a target X, durations are rounded up to units of z = epsilon X / attempts, and the smallest area of a chain with
/// rounded duration k is computed by doubling, O((attempts / epsilon)^2 log attempts) per job and target; the rounding adds at
/// most epsilon X to a chain. Closed forms: one attempt on any of up to 8 processors below the two neighbouring allocations,
/// the others by two_point(). This is exact for two attempts there, and within 1 + 1/16 beyond.
/// Source: after Perotin's thesis, Lemma 7 (MT-Allotment).
/// @param objective  max( longest chain, (1 + slack) area / P ) of a known allotment, from which the search starts
/// @returns the same value for the allotment written, or infinity if no better one was found
double balance_by_rounding(const State& state, std::int64_t attempts, const BalanceRules& rules,
                           double objective, Allotment& out);

}  // namespace holdfast::moldable
