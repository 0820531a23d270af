#pragma once

#include "holdfast/domains/moldable/balance_rules.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>

namespace holdfast::moldable {

/// The allotment of balance() by a method that is within 1 + epsilon (and a search tolerance of
/// 1e-4) of the best possible for any job, at a higher cost: for what the relaxed bound does not
/// certify.
///
/// Tables: for a target X, durations are rounded up to units of z = epsilon X / attempts, and the
/// least area of a chain of rounded duration k is built by doubling, O((attempts / epsilon)^2 log
/// attempts) per job and target; the rounding adds at most epsilon X to a chain. Closed forms: one
/// attempt on any of up to 8 processors below the two neighbouring allocations, the others by
/// two_point(): exact for two attempts there, within 1 + 1/16 beyond.
/// Source: after Perotin's thesis, Lemma 7 (MT-Allotment).
/// @param objective  max( longest chain, (1 + slack) area / P ) of a known allotment: where to
/// start
/// @returns the same of the allotment written, or infinity if none better was found
double balance_by_rounding(const State& state, std::int64_t attempts, const BalanceRules& rules,
                           double objective, Allotment& out);

}  // namespace holdfast::moldable
