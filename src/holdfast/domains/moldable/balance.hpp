#pragma once

#include "holdfast/domains/moldable/balance_rules.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>

namespace holdfast::moldable {

/// Allocations for chains of `attempts` attempts of each pending job that (nearly) minimise
/// max( longest chain, (1 + slack) total area / P ). Chains use two neighbouring allocations each
/// (two_point()), those of two attempts any pair (best_pair()); the target is where the total area that it asks for, a step function of it,
/// crosses it. `out.bound` is the same maximum without the slack.
///
/// Exact for one attempt, and for two up to 8 allocations slower than the ones that fit (within 1/16
/// beyond). For more, g, at most 1 + 1/g times the optimum with closed forms, whose (time, area) points are convex; tables are certified or go through rounding.hpp.
/// Cost: about 8 probes of O(1) per job with closed forms; O(log P) with tables.
/// Source: replaces MT-Allotment, Lemma 7 of Perotin's thesis.
void balance(const State& state, std::int64_t attempts, const BalanceRules& rules, Allotment& out);

/// Returns the target if attempts could be split between allocations, seconds: no allotment of that many
/// attempts of each pending job has a smaller max( longest chain, total area / P ). No slack.
[[nodiscard]] double relaxed_bound(const State& state, std::int64_t attempts);

/// The search by halving that balance() replaces; its reference in the tests.
/// @param tolerance  relative width at which to stop; the source's is 1e-9
void balance_by_halving(const State& state, std::int64_t attempts, const BalanceRules& rules,
                        Allotment& out, double tolerance = 1e-9);

}  // namespace holdfast::moldable
