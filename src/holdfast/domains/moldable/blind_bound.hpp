#pragma once

#include "holdfast/domains/moldable/strategy.hpp"

namespace holdfast::moldable {

/// Returns a lower bound in seconds on the mean makespan of every rule that does not know which attempts will fail: one that sees
/// the end of an attempt before it decides on the next of that job. The bounds of the other metrics hold for schedules that know it.
///
/// For a rule that ends all n jobs by D, no job runs longer than D, and all areas a together are at most P D. So the probability of
/// that is at most the mean of exp(s (P D - a)) over the runs in which no job runs longer than D, for any s >= 0. A rule decides on
/// an attempt before it knows its outcome, so this mean is at most exp(s P D) times the product over the jobs of M_j(D), where
///
///     M(x) = max over p with t(p) <= x of exp(-s p t(p)) ((1 - q) + q M(x - t(p))), and 0 if there is none.
///
/// With U(D) the least of these for some s, the mean makespan is at least the integral of 1 - U(D).
[[nodiscard]] double blind_bound(const State& state);

}  // namespace holdfast::moldable
