#pragma once

#include "holdfast/domains/moldable/instance.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::moldable {

/// A worst case of the source: what it does to a rule, beside what is possible.
struct Adversary {
  Instance instance;
  double reference = 0;  ///< makespan of the schedule of the proof, seconds
  double bound = 0;   ///< makespan that the theorem forces upon the rules that it is about, seconds
  std::string about;  ///< which rules, one line
};

/// One job per processor or a single one (`jobs`), with a concave table of which no single
/// allocation is good for both: any rule that looks at one job at a time is sqrt(P)/2 from the
/// optimum on one of the two. @pre processors is a square >= 4; jobs is 1 or processors
/// Source: Perotin's thesis, Theorem 7 (with P jobs in its second case: P/p would run all at once).
[[nodiscard]] Result<Adversary> theorem_7(std::int64_t processors, std::int64_t jobs);

/// K sequential jobs, each half as long and failing twice as often as the one before, on K
/// processors: the optimum is 1/2, batches take about K/4. Source: Theorem 9. @pre 1 <= groups <= 31
[[nodiscard]] Result<Adversary> theorem_9(std::int64_t groups);

/// Theorem 10: clusters of jobs of which some one very likely needs one batch more than the cluster
/// before, so that the expected ratio of batches grows without limit.
struct Clusters {
  std::vector<double> sizes;      ///< n_j
  std::vector<double> certainty;  ///< S_j: probability that cluster j ends exactly in batch K + j
  double product = 0;             ///< of the S_j
  double ratio = 0;               ///< (K - 1) / 4 times the product: least expected ratio
};
/// @pre 1 <= groups <= 40, 0 < probability < 1 of a failed attempt
[[nodiscard]] Clusters theorem_10_sizes(std::int64_t groups, double probability);
/// The jobs themselves, on one processor each; none where they are more than a million (from K = 3
/// on).
[[nodiscard]] Result<Adversary> theorem_10(std::int64_t groups, double probability);

/// 2^K - 1 alike jobs, K = 2^levels, t(p) = 1 / (1 + log2 p), on K 2^(K-1) processors, and failures
/// that are dealt against the rule that plays: no online rule ends before
/// sum_{i=1..K} 1 / (levels + i), while 1 is possible. Source: Theorem 11. @pre 1 <= levels <= 3
/// @param fixed  the failures of the proof's schedule in place of adaptive ones, with its allocations
[[nodiscard]] Result<Adversary> theorem_11(std::int64_t levels, bool fixed);

}  // namespace holdfast::moldable
