#pragma once

#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// Lifetimes as an observer has them, in seconds.
struct WatchedLives {
  std::span<const Lifetime> lives;  ///< ages count from a renewal
  /// Lifetimes of units that were in service before the observation. Ages count from its start, so they tell how often
  /// units fail, but not how that depends on age.
  std::span<const Lifetime> ageless = {};
  double resolution = 0;  ///< times were rounded to this many seconds; 0: unknown
};

/// The rate of failures over the time observed, which needs no law.
struct ObservedRate {
  std::int64_t failures = 0;
  double exposure = 0;  ///< unit-seconds observed
  double mean = 0;      ///< exposure / failures, seconds
  /// 95 % interval of the mean, as if failures were independent (Garwood 1936).
  ConfidenceInterval interval;
};

/// Returns the observed rate. A failure between two inspections counts in the middle.
/// @pre one failure or more
[[nodiscard]] ObservedRate observed_rate(const WatchedLives& watched, double confidence = 0.95);
/// Returns the share of the exposure whose age is unknown, in [0, 1].
[[nodiscard]] double ageless_share(const WatchedLives& watched);

/// Replaces exact ages by intervals of half a step of the clock on both sides, which is what they are if times are rounded.
/// Only ages below 100 steps are replaced; beyond, the difference is below 1e-5 of the density.
/// @param resolution  the step, seconds
[[nodiscard]] std::vector<Lifetime> within_resolution(std::span<const Lifetime> lives,
                                                      double resolution);
/// Returns the largest of 1 d, 1 h, 10 min, 5 min, 1 min and 1 s of which all ages at failure are multiples, in seconds; 0 if
/// there is none, or if fewer than 20 failures make that an accident.
[[nodiscard]] double common_step(std::span<const Lifetime> lives);

}  // namespace holdfast
