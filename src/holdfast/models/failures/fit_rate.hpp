#pragma once

#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// Lives as an observer has them.
struct WatchedLives {
  std::span<const Lifetime> lives;  ///< ages count from a renewal
  /// Of units that were there before anyone watched: ages count from the start of the watch. They say how often units
  /// fail, and nothing of how that depends on age.
  std::span<const Lifetime> ageless = {};
  double resolution = 0;  ///< times were rounded to this many seconds; 0: unknown
};

/// Failures over the time in which they were seen: what lives say without any law.
struct ObservedRate {
  std::int64_t failures = 0;
  double exposure = 0;  ///< unit-seconds watched
  double mean = 0;      ///< exposure / failures, seconds
  ConfidenceInterval
      interval;  ///< of the mean, 95 %, as if failures were independent (Garwood 1936)
};

/// A failure between two inspections counts in the middle. @pre one failure or more
[[nodiscard]] ObservedRate observed_rate(const WatchedLives& watched, double confidence = 0.95);
/// The part of the exposure whose age nobody knows, in [0, 1].
[[nodiscard]] double ageless_share(const WatchedLives& watched);

/// Exact ages as what they are where times are rounded: anything within half a step of the clock. Only ages below 100
/// steps, beyond which the difference is below 1e-5 of the density.
[[nodiscard]] std::vector<Lifetime> within_resolution(std::span<const Lifetime> lives,
                                                      double resolution);
/// The largest of 1 d, 1 h, 10 min, 5 min, 1 min and 1 s of which all ages at failure are multiples; 0 where there is
/// none, or where fewer than 20 failures make that an accident.
[[nodiscard]] double common_step(std::span<const Lifetime> lives);

}  // namespace holdfast
