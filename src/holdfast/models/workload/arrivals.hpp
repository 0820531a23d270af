#pragma once

#include "holdfast/kernel/lifetime.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Arrivals of jobs: the times between them, and how much they differ from a Poisson process.
namespace holdfast {

/// Returns a duration that was recorded in whole multiples of `resolution` seconds. A recorded 0 stands for a duration below
/// `resolution`, because no law of durations can have 0 itself; other values are taken unchanged.
/// @pre seconds >= 0, resolution > 0
[[nodiscard]] Lifetime recorded_duration(double seconds, double resolution);

/// What a sequence of arrivals looks like.
struct Arrivals {
  std::vector<Lifetime> gaps;  ///< times from one arrival to the next, seconds
  double rate = 0;             ///< arrivals per second, from the first to the last
  /// Arrivals per second in each hour of the day; absent for hours that the period does not touch.
  std::array<std::optional<double>, 24> by_hour;
  /// The variance of the number of arrivals per hour, divided by its mean: 1 for a Poisson process, more if arrivals come in
  /// bursts or follow the time of day. Absent for fewer than two whole hours.
  std::optional<double> dispersion;
  std::int64_t hours = 0;  ///< whole hours, from the first arrival on
};

/// Describes a sequence of arrivals.
/// @param times       seconds on a clock whose days begin at multiples of 86400; at least two, not all the same; sorted
/// @param resolution  seconds to which these times are rounded
[[nodiscard]] Arrivals arrivals_of(std::span<const double> times, double resolution = 1);

}  // namespace holdfast
