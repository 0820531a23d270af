#include "holdfast/models/workload/arrivals.hpp"

#include "holdfast/kernel/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace holdfast {
namespace {

constexpr double kHour = 3600;
constexpr std::size_t kHoursOfDay = 24;

std::size_t hour_of_day(double time) {
  const auto hour = static_cast<std::int64_t>(std::floor(time / kHour));
  constexpr std::int64_t kDay = kHoursOfDay;
  return static_cast<std::size_t>(((hour % kDay) + kDay) % kDay);
}

// Returns how many seconds of [from, to] lie in each hour of the day.
std::array<double, kHoursOfDay> seconds_by_hour(double from, double to) {
  std::array<double, kHoursOfDay> out{};
  const double days = std::floor((to - from) / (kHoursOfDay * kHour));
  out.fill(days * kHour);
  for (double at = from + days * kHoursOfDay * kHour; at < to;) {
    const double next = std::min(to, (std::floor(at / kHour) + 1) * kHour);
    out[hour_of_day(at)] += next - at;
    at = next;
  }
  return out;
}

std::optional<double> dispersion_of(std::span<const double> times, std::int64_t hours) {
  if (hours < 2) return std::nullopt;
  Moments counts;
  std::size_t at = 0;
  // A log of a year has 8760 hours. If its times are far apart, most hours are empty; these are counted without a loop.
  std::int64_t empty = hours;
  while (at < times.size()) {
    const double hour = std::floor((times[at] - times.front()) / kHour);
    if (hour >= static_cast<double>(hours)) break;
    std::size_t behind = at;
    while (behind < times.size() && std::floor((times[behind] - times.front()) / kHour) == hour) {
      ++behind;
    }
    counts.add(static_cast<double>(behind - at));
    --empty;
    at = behind;
  }
  // The moments of all hours follow from those of the hours with arrivals.
  const auto all = static_cast<double>(hours);
  const auto busy = static_cast<double>(counts.count());
  const double mean = counts.mean() * busy / all;
  const double within = counts.variance().value_or(0) * (busy - 1);
  const double squares = within + busy * (counts.mean() - mean) * (counts.mean() - mean) +
                         static_cast<double>(empty) * mean * mean;
  return squares / (all - 1) / mean;
}

}  // namespace

Lifetime recorded_duration(double seconds, double resolution) {
  assert(seconds >= 0 && resolution > 0);
  return seconds > 0 ? Lifetime::exact(seconds) : Lifetime::between(0, resolution);
}

Arrivals arrivals_of(std::span<const double> times, double resolution) {
  assert(times.size() >= 2 && std::ranges::is_sorted(times) && times.front() < times.back());
  Arrivals out;
  out.gaps.reserve(times.size() - 1);
  std::array<double, kHoursOfDay> counts{};
  for (std::size_t i = 1; i < times.size(); ++i) {
    out.gaps.push_back(recorded_duration(times[i] - times[i - 1], resolution));
  }
  for (const double time : times) counts[hour_of_day(time)] += 1;
  const double period = times.back() - times.front();
  out.rate = static_cast<double>(out.gaps.size()) / period;
  const auto seconds = seconds_by_hour(times.front(), times.back());
  for (std::size_t hour = 0; hour < kHoursOfDay; ++hour) {
    if (seconds[hour] > 0) out.by_hour[hour] = counts[hour] / seconds[hour];
  }
  out.hours = static_cast<std::int64_t>(period / kHour);
  out.dispersion = dispersion_of(times, out.hours);
  return out;
}

}  // namespace holdfast
