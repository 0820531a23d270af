#pragma once

#include "holdfast/domains/moldable/balance_rules.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>
#include <span>

namespace holdfast::moldable {

/// Finds allocations for chains of `attempts` attempts of each pending job that (nearly) minimise max( longest chain, (1 +
/// slack) total area / P ). Each chain uses two neighbouring allocations (two_point()); a chain of two attempts may use any
/// pair (best_pair()). For a target, each chain takes about the smallest area with which it ends by the target. This area is a
/// decreasing step function of the target; the result is the smallest target that (1 + slack) total area / P does not exceed.
/// `out.bound` is the same maximum without the slack.
///
/// The result is exact for one attempt. For two it is exact if up to 8 allocations are slower than the ones that fit, and
/// within 1/16 otherwise. For g attempts, it is at most 1 + 1/g times the optimum for closed forms, whose (time, area) points
/// are convex; tables are certified or go through rounding.hpp. Cost: about 8 probes of O(1) per job with closed forms, of
/// O(log P) with tables.
/// Source: replaces MT-Allotment, Lemma 7 of Perotin's thesis.
void balance(const State& state, std::int64_t attempts, const BalanceRules& rules, Allotment& out);

/// The same for each of some slacks, at less than the cost of as many calls: each search begins where the last one ended.
/// @param slacks  in increasing order
/// @param out  as many as slacks
void balance_each(const State& state, std::int64_t attempts, std::span<const double> slacks,
                  double epsilon, std::span<Allotment> out);

/// Returns the target in seconds for attempts that could be split between allocations: no allotment of that many attempts of
/// each pending job has a smaller max( longest chain, total area / P ). There is no slack.
[[nodiscard]] double relaxed_bound(const State& state, std::int64_t attempts);

}  // namespace holdfast::moldable
