#pragma once

#include "holdfast/domains/moldable/instance.hpp"

#include <cstdint>

namespace holdfast::moldable {

/// Returns the alpha of the theorems: roofline 1, communication 3/2, amdahl 2, mix 27/13, power P^(1/4), table sqrt(P). The
/// ratios are 2, 3, 4, 54/13, O(P^(1/4)), O(sqrt(P)). The values 4/3 for communication and 2 for mix would prove slightly
/// better ratios (17/6 and 53/13, by the second case of Lemma 2). Source: Perotin's thesis, Figure 2.1 (for mix, 27/13 from the
/// figure instead of 3 from Theorem 4).
[[nodiscard]] double default_alpha(SpeedupModel model, std::int64_t processors);

/// Returns the fastest allocation with an area of at most alpha times the smallest; among equal times (to a relative 1e-12),
/// the one with the fewest processors. O(1) for closed forms, which are inverted; linear for tables.
/// @pre alpha >= 1; limits are those of the job on that machine
/// If errors count by area, areas and times are those that all attempts of the job are expected to take together.
/// Source: Perotin's thesis, Algorithm 2, with <= instead of <, which would leave roofline jobs without any allocation.
[[nodiscard]] std::int64_t lpa(const Speedup& job, const Limits& limits, std::int64_t processors,
                               double alpha, const ErrorLaw& errors = {});

/// Returns the same by checking every number of processors, which is the definition.
[[nodiscard]] std::int64_t lpa_by_scan(const Speedup& job, const Limits& limits,
                                       std::int64_t processors, double alpha,
                                       const ErrorLaw& errors = {});

}  // namespace holdfast::moldable
