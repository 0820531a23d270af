#pragma once

#include "holdfast/domains/moldable/instance.hpp"

#include <cstdint>

namespace holdfast::moldable {

/// Returns the alpha of the theorems: roofline 1, communication 3/2, amdahl 2, mix 27/13, power P^(1/4),
/// table sqrt(P). Ratios 2, 3, 4, 54/13, O(P^(1/4)), O(sqrt(P)). For communication 4/3 and for mix
/// 2 prove slightly better ratios (17/6 and 53/13, by the second case of Lemma 2). Source:
/// Perotin's thesis, Figure 2.1 (mix: the figure's 27/13, not the 3 of Theorem 4).
[[nodiscard]] double default_alpha(SpeedupModel model, std::int64_t processors);

/// Returns the fastest allocation with an area of at most alpha times the least; equal times (to a relative
/// 1e-12): the fewest processors. O(1) for closed forms, which are inverted; linear for tables.
/// @pre alpha >= 1; limits are those of the job on that machine
/// Source: Perotin's thesis, Algorithm 2, with <= instead of <, which would leave roofline jobs
/// without any allocation.
[[nodiscard]] std::int64_t lpa(const Speedup& job, const Limits& limits, std::int64_t processors,
                               double alpha);

/// Returns the same by looking at every number of processors: the definition.
[[nodiscard]] std::int64_t lpa_by_scan(const Speedup& job, const Limits& limits,
                                       std::int64_t processors, double alpha);

}  // namespace holdfast::moldable
