#pragma once

#include "holdfast/kernel/lifetime.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// How jobs come: the times between them, and how far they are from a Poisson process.
namespace holdfast {

/// A duration that was recorded in whole multiples of `resolution` seconds: 0 is one of less than that, which no law of
/// durations could have as it stands; others are taken as they are. @pre seconds >= 0, resolution > 0
[[nodiscard]] Lifetime recorded_duration(double seconds, double resolution);

struct Arrivals {
  std::vector<Lifetime> gaps;  ///< between one arrival and the next
  double rate = 0;             ///< arrivals per second, from the first to the last
  /// Arrivals per second in each hour of the day; absent for hours that the period does not touch.
  std::array<std::optional<double>, 24> by_hour;
  /// Variance of the numbers of arrivals in an hour over their mean: 1 for a Poisson process, more where arrivals come in
  /// bursts or follow the day. Absent for fewer than two whole hours.
  std::optional<double> dispersion;
  std::int64_t hours = 0;  ///< whole hours, from the first arrival on
};

/// @param times       seconds on a clock whose days begin at multiples of 86400; at least two, not all the same; sorted
/// @param resolution  of these times, seconds
[[nodiscard]] Arrivals arrivals_of(std::span<const double> times, double resolution = 1);

}  // namespace holdfast
