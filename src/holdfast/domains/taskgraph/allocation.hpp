#pragma once

#include "holdfast/models/speedup/speedup.hpp"

#include <cstdint>

namespace holdfast::taskgraph {

/// The two parameters of Algorithm 4, without a claim about what they guarantee.
struct AllocationRule {
  double alpha = 2;  ///< the area is at most this times the smallest area; >= 1
  double mu = 0.5;   ///< the largest share of the machine for a task; in (0, 1]
};

/// Returns ceil(mu P), at least 1. A product that exceeds an integer by up to 1e-9 counts as that integer.
[[nodiscard]] std::int64_t allocation_cap(double mu, std::int64_t processors);

/// Returns the result of step 1 of Algorithm 4: the fastest allocation whose area is at most alpha times the smallest area
/// (with a relative tolerance of 1e-12, because roofline tasks with alpha = 1 and the worst cases reach the bound). For
/// closed-form models it is the largest such p in [1, pmax], found by inverting the area and checking its neighbours. For
/// tables it is the fastest such point of the Pareto frontier.
/// @param most  largest number of processors: P, or fewer in the second step of a table
[[nodiscard]] std::int64_t initial_allocation(const Speedup& task, std::int64_t most, double alpha);

/// Returns the result of Algorithm 4: the initial allocation, reduced to the cap. For a table the search is repeated below the
/// cap, because the capped entry may be dominated by a smaller one. Source: Perotin's thesis, section 3.4.1.
[[nodiscard]] std::int64_t capped_allocation(const Speedup& task, std::int64_t processors,
                                             const AllocationRule& rule);

}  // namespace holdfast::taskgraph
