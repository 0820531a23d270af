#include "holdfast/domains/cosched/lower_bound.hpp"

#include "holdfast/domains/cosched/plan.hpp"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

namespace holdfast::cosched {
namespace {

constexpr std::int64_t kMostCounts = 4096;
constexpr std::int64_t kFewDecisions = 2000;  // of the search for the optimum: a few milliseconds

struct Place {
  double time = 0;
  double area = 0;
};

// The least area of one task as a function of its time.
class LeastArea {
 public:
  // For the source's profile j t(j) = c + s j, so a = c t / (t - s), which is convex: the points of whole pairs lie on it.
  LeastArea(const TaskTimes& times, std::int64_t processors, bool is_smooth)
      : is_smooth_{is_smooth} {
    if (is_smooth) {
      hull_ = {{times.time(processors), static_cast<double>(processors) * times.time(processors)},
               {times.time(2), 2 * times.time(2)}};
      const double per_processor = hull_[0].area - hull_[1].area;  // (p - 2) s
      slope_ = processors > 2 ? per_processor / static_cast<double>(processors - 2) : 0;
      constant_ = hull_[1].area - 2 * slope_;
      return;
    }
    std::vector<Place> places;
    for (std::int64_t j = 2; j <= processors; j += 2) {
      const double time = times.time(j);
      places.push_back({time, static_cast<double>(j) * time});
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      return a.time != b.time ? a.time < b.time : a.area < b.area;
    });
    for (const Place& place : places) add(place);
  }

  [[nodiscard]] double shortest() const { return hull_.front().time; }
  /// @param time  at least shortest()
  [[nodiscard]] double at(double time) const {
    if (time >= hull_.back().time) return hull_.back().area;
    if (is_smooth_) return constant_ * time / (time - slope_);
    const auto after =
        std::upper_bound(hull_.begin(), hull_.end(), time,
                         [](double wanted, const Place& place) { return wanted < place.time; });
    if (after == hull_.begin()) return after->area;
    const Place& before = *(after - 1);
    const double part = (time - before.time) / (after->time - before.time);
    return before.area + part * (after->area - before.area);
  }

 private:
  // Adds a point, in order of time: a longer time must come with a smaller area, and the hull stays convex.
  void add(const Place& place) {
    if (!hull_.empty() && place.area >= hull_.back().area) return;
    while (hull_.size() > 1) {
      const Place &a = hull_[hull_.size() - 2], &b = hull_.back();
      const double turn =
          (b.time - a.time) * (place.area - a.area) - (b.area - a.area) * (place.time - a.time);
      if (turn > 0) break;
      hull_.pop_back();
    }
    hull_.push_back(place);
  }

  bool is_smooth_;
  std::vector<Place> hull_;  // points from the shortest time to the least area
  double constant_ = 0, slope_ = 0;
};

}  // namespace

std::optional<double> lower_bound(const Instance& instance, std::span<const TaskTimes> times) {
  const std::int64_t processors = instance.even_processors();
  std::vector<LeastArea> areas;
  double low = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool is_smooth = std::holds_alternative<MLogProfile>(instance.tasks[i].profile);
    if (!is_smooth && processors > kMostCounts) return std::nullopt;
    areas.emplace_back(times[i], processors, is_smooth);
    low = std::max(low, areas.back().shortest());
  }
  const auto needed = [&](double time) {
    double sum = 0;
    for (const LeastArea& area : areas) sum += area.at(time);
    return sum / static_cast<double>(processors);
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
