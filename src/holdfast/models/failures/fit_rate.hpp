#pragma once

#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// Lifetimes as an observer records them, in seconds.
struct WatchedLives {
  std::span<const Lifetime> lives;  ///< lives whose ages count from a renewal
  /// Lives of units that were in service before the observation. Their ages count from its start, so they show how often units
  /// fail, but not how that depends on age.
  std::span<const Lifetime> ageless = {};
  double resolution = 0;  ///< times were rounded to this many seconds; 0: they are exact
};

/// The rate of failures over the observed time, which does not depend on a law.
struct ObservedRate {
  std::int64_t failures = 0;  ///< number of observed failures
  double exposure = 0;        ///< observed time of all units, unit-seconds
  double mean = 0;            ///< mean time between failures, exposure / failures, seconds
  /// 95 % interval of the mean, as if failures were independent (Garwood 1936).
  ConfidenceInterval interval;
};

/// Returns the observed rate. A failure between two inspections counts at the middle.
/// @pre one failure or more
[[nodiscard]] ObservedRate observed_rate(const WatchedLives& watched, double confidence = 0.95);
/// Returns the share of the exposure for which the age is unknown, in [0, 1].
[[nodiscard]] double ageless_share(const WatchedLives& watched);

/// Replaces each exact age by an interval of half a clock step on both sides, which is what a rounded time means. Only ages
/// below 100 steps are replaced; beyond, the difference is below 1e-5 of the density.
/// @param resolution  the step, seconds
[[nodiscard]] std::vector<Lifetime> within_resolution(std::span<const Lifetime> lives,
                                                      double resolution);
/// Moves the ends of censored lives to the end of their clock step, as a test of rounded ages needs it: a unit that was alive at
/// a printed age was at risk when others failed at the same printed age.
void see_to_end_of_step(std::span<Lifetime> lives, double resolution);

}  // namespace holdfast
