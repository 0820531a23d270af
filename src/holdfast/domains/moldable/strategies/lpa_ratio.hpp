#pragma once

#include "holdfast/domains/moldable/instance.hpp"

#include <cstdint>

namespace holdfast::moldable {

/// Returns the proven ratio of LIST to the optimum if every job has at most alpha times its smallest area and at most beta
/// times its shortest time: 2 alpha if alpha >= beta, else alpha P/(P-1) + beta (P-2)/(P-1). @pre processors >= 2
/// Source: Perotin's thesis, Lemma 3, Eq. (2.10).
[[nodiscard]] double proven_ratio(double alpha, double beta, std::int64_t processors);

/// Returns the allocation whose alpha = a(p)/a_min and beta = t(p)/t_min give the smallest proven ratio; among equal ratios,
/// the one with the fewest processors. 1 on a machine with one processor.
///
/// Where alpha >= beta, the ratio grows with p, so its first p is found by bisection. Below it, a and t are convex in p (for
/// power, in log p), so the ratio first falls and then grows, and its minimum is found by bisection too. O(log P); tables are
/// scanned. If errors count by area, areas and times are those that all attempts of the job are expected to take together.
[[nodiscard]] std::int64_t lpa_ratio(const Speedup& job, const Limits& limits,
                                     std::int64_t processors, const ErrorLaw& errors = {});

/// Returns the same by checking every number of processors, which is the definition.
[[nodiscard]] std::int64_t lpa_ratio_by_scan(const Speedup& job, const Limits& limits,
                                             std::int64_t processors, const ErrorLaw& errors = {});

}  // namespace holdfast::moldable
