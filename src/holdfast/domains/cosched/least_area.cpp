#include "holdfast/domains/cosched/least_area.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace holdfast::cosched {
namespace {

constexpr std::int64_t kMostCounts = 4096;
constexpr double kMetExactly = 1e-12;  // of a time that a count meets exactly
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns kappa, the least of (h(y) + C) / y over 0 < y <= S, where h(y) = (mu + 2 D + C) expm1(y / mu) is what y processor-seconds of
// work are expected to take until they are saved. The ratio falls until y h'(y) = h(y) + C.
double overhead_of(const Instance& instance, double saved, double span) {
  const double mtbf = instance.mtbf;
  const double scale = mtbf + 2 * instance.downtime + saved;
  const auto falls = [&](double y) {
    const double grown = elementary::expm1(y / mtbf);
    return scale * (y / mtbf * (grown + 1) - grown) < saved;
  };
  double low = 0, high = span;
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps && !falls(high); ++step) {
    const double middle = low + (high - low) / 2;
    (falls(middle) ? low : high) = middle;
  }
  return (scale * elementary::expm1(high / mtbf) + saved) / high;
}

}  // namespace

std::optional<LeastArea> LeastArea::of(const Instance& instance, std::size_t task,
                                       const TaskTimes& times) {
  const bool is_line = std::holds_alternative<MLogProfile>(instance.tasks[task].profile);
  if (!is_line && instance.even_processors() > kMostCounts) return std::nullopt;
  return LeastArea(instance, task, times);
}

LeastArea::LeastArea(const Instance& instance, std::size_t task, const TaskTimes& times)
    : times_{times},
      is_line_{std::holds_alternative<MLogProfile>(instance.tasks[task].profile)},
      processors_{instance.even_processors()},
      saved_{times.checkpoint(1)},
      span_{times.work_per_period(1)},
      move_{instance.redistribution_unit_cost * instance.tasks[task].data / 2} {
  if (!instance.fault_free) overhead_ = overhead_of(instance, saved_, span_);
  if (is_line_) {
    set_line(processors_);
  } else {
    add_counts(processors_);
  }
}

// For the source's profile a = c t / (t - s), which is convex: the points of whole pairs lie on it.
void LeastArea::set_line(std::int64_t processors) {
  hull_ = {{times_.time(processors), static_cast<double>(processors) * times_.time(processors)},
           {times_.time(2), 2 * times_.time(2)}};
  const double per_processor = hull_[0].area - hull_[1].area;  // (p - 2) s
  slope_ = processors > 2 ? per_processor / static_cast<double>(processors - 2) : 0;
  constant_ = hull_[1].area - 2 * slope_;
}

void LeastArea::add_counts(std::int64_t processors) {
  std::vector<Place> places;
  for (std::int64_t j = 2; j <= processors; j += 2) {
    const double time = times_.time(j), area = static_cast<double>(j) * time;
    places.push_back({time, area});
    steps_.push_back({times_.real(j, 1), area});
  }
  const auto is_before = [](const Place& a, const Place& b) {
    return a.time != b.time ? a.time < b.time : a.area < b.area;
  };
  std::sort(places.begin(), places.end(), is_before);
  for (const Place& place : places) add(place);
  std::sort(steps_.begin(), steps_.end(), is_before);
  for (std::size_t i = 1; i < steps_.size(); ++i)
    steps_[i].area = std::min(steps_[i].area, steps_[i - 1].area);
}

// A longer time must come with a smaller area, and the hull stays convex.
void LeastArea::add(const Place& place) {
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

double LeastArea::mixed(double time) const {
  if (time >= hull_.back().time) return hull_.back().area;
  if (is_line_) return constant_ * time / (time - slope_);
  const auto after =
      std::upper_bound(hull_.begin(), hull_.end(), time,
                       [](double wanted, const Place& place) { return wanted < place.time; });
  if (after == hull_.begin()) return after->area;
  const Place& before = *(after - 1);
  const double part = (time - before.time) / (after->time - before.time);
  return before.area + part * (after->area - before.area);
}

// The smallest count has the least area. What it needs is at least j t(j) + C max(0, j t(j) / S - 1), which is linear in j, so that
// few counts are left to look at.
double LeastArea::kept_on_line(double time) const {
  const double share = saved_ / span_;
  double least = 2;
  for (const auto& [constant, slope] :
       {Place{.time = constant_, .area = slope_},
        Place{.time = constant_ * (1 + share) - saved_, .area = slope_ * (1 + share)}}) {
    if (time <= slope) return kInfinity;
    least = std::max(least, constant / (time - slope));
  }
  if (least > static_cast<double>(processors_) + 1) return kInfinity;
  auto j = std::max<std::int64_t>(2, 2 * static_cast<std::int64_t>(std::ceil(least / 2)) - 2);
  constexpr int kMostLooks =
      64;  // after these, a smaller count than needed: its area is a bound too
  for (int look = 0; look < kMostLooks && times_.real(j, 1) > time; ++look) {
    j += 2;
    if (j > processors_) return kInfinity;
  }
  return constant_ + slope_ * static_cast<double>(j);
}

double LeastArea::kept(double time) const {
  time *= 1 + kMetExactly;
  if (is_line_) return kept_on_line(time);
  const auto after =
      std::upper_bound(steps_.begin(), steps_.end(), time,
                       [](double wanted, const Place& place) { return wanted < place.time; });
  return after == steps_.begin() ? kInfinity : (after - 1)->area;
}

double LeastArea::certain(double time) const {
  constexpr double kBelow = 1e-9;  // rounding must not add a checkpoint
  const double moved = mixed(time) + move_;
  if (saved_ == 0) return std::min(kept(time), moved);
  const double keeps = kept(time);
  // Between two saves lie at most S processor-seconds of work.
  const double saves = std::max(1.0, mixed(time) / span_ - 1);
  return std::min(keeps + saved_ * std::floor(keeps / span_ - kBelow), moved + saved_ * saves);
}

double LeastArea::expected(double time) const {
  return std::min(overhead_ * kept(time), overhead_ * mixed(time) + move_) - saved_;
}

}  // namespace holdfast::cosched
