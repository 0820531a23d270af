#pragma once

#include "holdfast/domains/moldable/instance.hpp"

#include <cstdint>

namespace holdfast::moldable {

/// Returns the ratio to the optimum that LIST is proven to keep when every job has at most alpha times its
/// least area and at most beta times its least time: 2 alpha if alpha >= beta, else
/// alpha P/(P-1) + beta (P-2)/(P-1). @pre processors >= 2
/// Source: Perotin's thesis, Lemma 3, Eq. (2.10).
[[nodiscard]] double proven_ratio(double alpha, double beta, std::int64_t processors);

/// Returns the allocation whose alpha = a(p)/a_min and beta = t(p)/t_min give the least proven ratio; equal
/// ratios: the fewest processors. 1 on a machine of one processor.
///
/// Where alpha >= beta, the ratio grows with p: its first p is found by halving. Below it, a and t
/// are convex in p (power: in log p), so that the ratio falls and then grows: the turn is found by
/// halving too. O(log P); tables are scanned.
[[nodiscard]] std::int64_t lpa_ratio(const Speedup& job, const Limits& limits,
                                     std::int64_t processors);

/// Returns the same by looking at every number of processors: the definition.
[[nodiscard]] std::int64_t lpa_ratio_by_scan(const Speedup& job, const Limits& limits,
                                             std::int64_t processors);

}  // namespace holdfast::moldable
