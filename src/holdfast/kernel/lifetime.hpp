#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace holdfast {

/// What is known about one time to failure, in seconds since the last renewal. Readers of logs make lifetimes, and fits of
/// failure laws take them. The two layers share nothing else.
///
/// The failure happened at an age in [low, high]:
///   low == high              the age is known
///   high == infinity         right-censored: alive at `low`, unknown later
///   low < high < infinity    interval-censored: alive at `low`, dead at `high` (two inspections)
/// entry > 0 means left truncation: the observation of the unit began at that age, and an earlier failure would not be in the
/// data.
struct Lifetime {
  double low = 0;    ///< least age at the failure, seconds
  double high = 0;   ///< largest age at the failure, seconds
  double entry = 0;  ///< age at which the observation began, seconds

  /// Make lifetimes of these three forms. All ages are in seconds.
  [[nodiscard]] static constexpr Lifetime exact(double age, double entry = 0) {
    return {age, age, entry};
  }
  [[nodiscard]] static constexpr Lifetime censored(double age, double entry = 0) {
    return {age, std::numeric_limits<double>::infinity(), entry};
  }
  [[nodiscard]] static constexpr Lifetime between(double low, double high, double entry = 0) {
    return {low, high, entry};
  }

  /// Returns true if the age at the failure is known.
  [[nodiscard]] constexpr bool is_exact() const { return low == high; }
  /// Returns true if no failure was observed.
  [[nodiscard]] constexpr bool is_censored() const {
    return high == std::numeric_limits<double>::infinity();
  }

  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

/// The failures of a repaired unit, at times within its window of observation, in order. All times are seconds on one clock.
struct WatchedUnit {
  double from = 0;
  double to = 0;
  std::vector<double> failures;
};

/// Returns the largest of 1 d, 1 h, 10 min, 5 min, 1 min and 1 s that divides all known ages at failure, in seconds. 0 if there
/// is none, or if there are fewer than `enough` failures, because it could then be a coincidence.
[[nodiscard]] double common_step(std::span<const Lifetime> lives, std::int64_t enough = 20);

/// Replaces failures at age 0, which no law allows, by failures between 0 and half a step: the given one, else the common one;
/// without a step, between 0 and the least other age. Returns their number; 0 if there is no other age.
[[nodiscard]] std::int64_t spread_zeros(std::span<Lifetime> lives, double step = 0);

}  // namespace holdfast
