#pragma once

#include "holdfast/domains/moldable/instance.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::moldable {

/// A worst case of the source: an instance, the makespan that rules get, and the makespan that is possible.
struct Adversary {
  Instance instance;
  double reference = 0;  ///< makespan of the schedule of the proof, seconds
  double bound = 0;      ///< makespan that the rules of the theorem need at least, seconds
  std::string about;     ///< one line that names these rules
};

/// Returns the worst case of rules that look at one job at a time: P equal jobs on P processors, or a single one. No
/// allocation of that job is good in both cases, so in one of them the rule takes sqrt(P)/2 times the optimum:
///
///     1 job       proof               rule: at most sqrt(P)      P jobs     proof: 1 each      rule: more than sqrt(P) each
///     P           +-+                                            P          +------------+     +----+----+       +----+
///                 | |                                                       | job P      |     |job | .. |       |job |
///     sqrt(P)     | |                 +-------------+                       | ...        |     | 1  |    |  ...  | P  |
///     0           +-+                 +-------------+            0          +------------+     +----+----+       +----+
///                 0 1/sqrt(P)         0            1/2                      0            1     0                sqrt(P)/2
///
/// @pre processors is a square of at least 4; jobs is 1 or processors
/// Source: Perotin's thesis, Theorem 7 (with P jobs in its second case, because P/p jobs would all run at once).
[[nodiscard]] Result<Adversary> theorem_7(std::int64_t processors, std::int64_t jobs);

/// Returns the worst case of batches: K sequential jobs on K processors, each half as long as the one before and with twice as
/// many attempts. The optimum is 1/2. In batches of 1, 2, 4 ... attempts each job waits for the one before it, and every
/// batch but the first and the last takes 1/4. For K = 3 (x: the attempt failed):
///
///     processor   optimum                  batches
///     1           |=======1/2=======|      |=======1/2=======|
///     2           |==1/4==x==1/4====|      |==1/4==x         |==1/4===|
///     3           |=1/8=x===x===x===|      |=1/8=x           |===x====x    |====|
///                 0                1/2     0  batch 1       1/2  2   3/4 3     7/8
///
/// @pre 1 <= groups <= 31, the number of jobs
/// Source: Theorem 9.
[[nodiscard]] Result<Adversary> theorem_9(std::int64_t groups);

/// The clusters of theorem 10. The jobs of cluster j have length 2^-j. There are so many of them that very likely the last
/// one ends exactly in batch K + j: each cluster needs one batch more than the one before, and the ratio of batches grows
/// without limit in expectation.
///
///                   optimum                 batches from K + 1 on, each of 2^(K-2) or more
///     cluster 1     |==============|        |=====|
///     cluster 2     |==============|        |=====|=====|
///       ...         |==============|        |=====|=====| ...
///     cluster K     |==============|        |=====|=====| ... |==|
///                   0        < 2^K           K+1   K+2        2K
struct Clusters {
  std::vector<double> sizes;  ///< [K] number of jobs of cluster j, n_j
  /// [K] probability that cluster j ends exactly in batch K + j, S_j.
  std::vector<double> certainty;
  double product = 0;  ///< product of all S_j
  double ratio = 0;    ///< least expected ratio, (K - 1) / 4 times the product
};
/// Returns these clusters.
/// @param probability  probability that an attempt fails, between 0 and 1
/// @pre 1 <= groups <= 40, the number K of clusters
[[nodiscard]] Clusters theorem_10_sizes(std::int64_t groups, double probability);
/// Returns the jobs themselves, on one processor each; there are none if they would be more than a million (from K = 3 on).
[[nodiscard]] Result<Adversary> theorem_10(std::int64_t groups, double probability);

/// Returns the worst case of all online rules: 2^K - 1 equal jobs with t(p) = 1 / (1 + log2 p) on K 2^(K-1) processors, where
/// K = 2^levels. Group i has 2^(K-i) jobs, each with i - 1 failures. A schedule that knows the groups gives each job of group i
/// 2^(i-1) processors, and all jobs end at 1. Failures are assigned while a rule decides: of all i-th attempts, the first
/// 2^(K-i) to complete succeed. So no online rule ends before sum_{i=1..K} 1 / (levels + i). For levels = 2 (x: the attempt
/// failed):
///
///     processors   the proof's schedule
///     24 to 31     group 4: 1 job on 8     |--1/4--x--1/4--x--1/4--x--1/4--|
///     16 to 23     group 3: 2 jobs on 4    |---1/3----x---1/3---x---1/3----|
///      8 to 15     group 2: 4 jobs on 2    |------1/2------x------1/2------|
///      0 to  7     group 1: 8 jobs on 1    |---------------1---------------|
///                                          0                               1
///
/// @param fixed  true for the failures and allocations of the proof's schedule, false for adaptive failures
/// @pre 1 <= levels <= 3
/// Source: Theorem 11.
[[nodiscard]] Result<Adversary> theorem_11(std::int64_t levels, bool fixed);

}  // namespace holdfast::moldable
