#pragma once

#include "holdfast/models/failures/law.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace holdfast {

/// Processors of equal age.
struct AgeGroup {
  double age = 0;          ///< time since the last renewal, seconds, >= 0
  std::int64_t count = 1;  ///< processors of that age, at least 1
  friend bool operator==(const AgeGroup&, const AgeGroup&) = default;
};

/// The ages of all processors of a job: groups in increasing order of age, no age twice.
struct Ages {
  /// The position that means "no such group".
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  std::vector<AgeGroup> groups;  ///< the processors by age, the youngest first
  /// The position of the group that never failed (its processors have the platform's age); kNone if there is none, or if it is
  /// unknown.
  std::size_t never_failed = kNone;

  /// Returns the number of processors in all groups.
  [[nodiscard]] std::int64_t processors() const;
  /// Returns the smallest age, in seconds.
  /// @pre there is a group
  [[nodiscard]] double youngest() const { return groups.front().age; }
};

/// Sorts groups and merges those of equal age.
/// @param never_failed  position of the group that never failed in `groups`, or Ages::kNone
[[nodiscard]] Ages make_ages(std::vector<AgeGroup> groups, std::size_t never_failed = Ages::kNone);
/// Returns the ages of processors that all have one age, in seconds.
[[nodiscard]] Ages same_age(std::int64_t processors, double age);

/// Returns the ages of processors that have been in service for much longer than their mean life: quantiles of the law of
/// density P(X >= x) / E(X), in at most 1000 groups, the youngest first. @pre processors >= 1
[[nodiscard]] std::vector<AgeGroup> ages_in_service(const Law& law, std::int64_t processors);

/// The largest number of groups that compressed() leaves as they are.
inline constexpr std::size_t kExactGroups = 200;

/// Replaces many groups by few. Ages are binned by logarithm, 16 bins per octave (23 per factor e), and each bin is replaced by
/// its mean age. The never-failed group and the 10 youngest groups stay exact, and with at most kExactGroups groups everything
/// does. About 200 groups remain at p = 1e5, and the relative error of Lambda is at most 8e-5. This replaces the 10 + 10 + 100
/// quantiles of the thesis (section 5.6.1), whose error is 1.8e-2. See decision 0010.
[[nodiscard]] Ages compressed(const Ages& ages);

/// Returns Lambda(x) = sum of count [H(age + x) - H(age)] and its derivatives lambda(x) (per second) and lambda'(x), for x in
/// seconds. The sums are exact (compensated), with one term per group. S(x) = exp(-Lambda(x)) is the probability that no
/// processor fails in the next x seconds (eq. 5.7). For x = 0 every age must be positive.
[[nodiscard]] HazardValue platform_hazard(const Law& law, const Ages& ages, double x);
/// Returns Lambda(x) alone; x = 0 gives 0.
/// @pre x >= 0
[[nodiscard]] double platform_cumulative_hazard(const Law& law, const Ages& ages, double x);
/// Writes Lambda at many points to `out`.
/// @pre x.size() == out.size(), x >= 0
void platform_cumulative_hazards(const Law& law, const Ages& ages, std::span<const double> x,
                                 std::span<double> out);

}  // namespace holdfast
