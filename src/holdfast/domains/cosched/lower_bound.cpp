#include "holdfast/domains/cosched/lower_bound.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/cosched/least_area.hpp"
#include "holdfast/domains/cosched/plan.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace holdfast::cosched {
namespace {

constexpr std::int64_t kFewDecisions = 2000;  // of the search for the optimum: a few milliseconds

std::optional<std::vector<LeastArea>> least_areas(const Instance& instance,
                                                  std::span<const TaskTimes> times) {
  std::vector<LeastArea> areas;
  for (std::size_t i = 0; i < times.size(); ++i) {
    auto area = LeastArea::of(instance, i, times[i]);
    if (!area) return std::nullopt;
    areas.push_back(std::move(*area));
  }
  return areas;
}

double lower_bound_of(std::span<const LeastArea> areas, double processors) {
  double low = 0;
  for (const LeastArea& area : areas) low = std::max(low, area.shortest());
  const auto needed = [&](double time) {
    double sum = 0;
    for (const LeastArea& area : areas) sum += area.certain(time);
    return sum / processors;
  };
  double high = needed(low);
  if (high <= low) return low;
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = low + (high - low) / 2;
    (needed(middle) > middle ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::optional<double> lower_bound(const Instance& instance, std::span<const TaskTimes> times) {
  const auto areas = least_areas(instance, times);
  if (!areas) return std::nullopt;
  return lower_bound_of(*areas, static_cast<double>(instance.even_processors()));
}

std::optional<double> expected_bound(const Instance& instance, std::span<const TaskTimes> times) {
  if (instance.fault_free || instance.failures) return std::nullopt;
  const auto areas = least_areas(instance, times);
  if (!areas) return std::nullopt;
  const auto processors = static_cast<double>(instance.even_processors());
  const double first = lower_bound_of(*areas, processors);
  // The corners below the staircase of b, of more and more distant times.
  constexpr int kCorners = 256;
  constexpr double kFarthest = 1.5;  // exponent of the last time
  struct Corner {
    double time, area;
  };
  std::vector<Corner> corners;
  double before = first;
  for (int k = 1; k <= kCorners; ++k) {
    const double part = static_cast<double>(k) / kCorners;
    const bool is_last = k == kCorners;
    const double time = first * elementary::exp(kFarthest * part * part);
    double area = 0;
    for (const LeastArea& one : *areas)
      area += one.expected(is_last ? std::numeric_limits<double>::max() : time);
    corners.push_back({before, area});
    before = time;
  }
  // b is at least the line through two corners between them, and so is its convex hull, for every two of the hull.
  double bound = first;
  for (std::size_t from = 0; from + 1 < corners.size();) {
    std::size_t next = from + 1;
    const auto slope = [&](std::size_t to) {
      return (corners[to].area - corners[from].area) / (corners[to].time - corners[from].time);
    };
    for (std::size_t to = from + 2; to < corners.size(); ++to)
      if (slope(to) < slope(next)) next = to;
    // Where the line meets p times the makespan.
    const double meets =
        (corners[from].area - slope(next) * corners[from].time) / (processors - slope(next));
    if (meets <= corners[next].time) return std::max(bound, meets);
    from = next;
  }
  return std::max(bound, corners.back().area / processors);
}

std::optional<MakespanBound> best_known_bound(const Instance& instance,
                                              std::span<const TaskTimes> times) {
  constexpr std::int64_t kFewProcessors = 64;
  if (instance.fault_free && instance.processors <= kFewProcessors) {
    if (const auto best = optimum(instance, kFewDecisions))
      return MakespanBound{.seconds = best->makespan, .is_optimum = true};
  }
  const auto bound = lower_bound(instance, times);
  if (!bound) return std::nullopt;
  return MakespanBound{.seconds = *bound, .is_optimum = false};
}

}  // namespace holdfast::cosched
