#pragma once

#include "holdfast/models/speedup/speedup.hpp"

#include <cstdint>

namespace holdfast::taskgraph {

/// The two numbers that Algorithm 4 reads; without a claim about what they guarantee.
struct AllocationRule {
  double alpha = 2;  ///< the area is at most this times the least area; >= 1
  double mu = 0.5;   ///< the share of the machine that a task gets at most; in (0, 1]
};

/// ceil(mu P), at least 1. A product that misses an integer by 1e-9 from above counts as that
/// integer.
[[nodiscard]] std::int64_t allocation_cap(double mu, std::int64_t processors);

/// Step 1 of Algorithm 4: the fastest allocation whose area is at most alpha times the least area
/// (relative tolerance 1e-12: roofline tasks, of alpha = 1, and the worst cases attain the bound).
/// Closed-form models: the largest such p in [1, pmax], by inverting the area and checking its
/// neighbours. Tables: the fastest such point of the Pareto frontier.
/// @param most  processors that may be given; P, or fewer for the second step of a table
[[nodiscard]] std::int64_t initial_allocation(const Speedup& task, std::int64_t most, double alpha);

/// Algorithm 4: the initial allocation, reduced to the cap. A table is looked up again below the
/// cap, since its capped entry may be dominated by a smaller one. Source: Perotin's thesis,
/// section 3.4.1.
[[nodiscard]] std::int64_t capped_allocation(const Speedup& task, std::int64_t processors,
                                             const AllocationRule& rule);

}  // namespace holdfast::taskgraph
