#include "holdfast/algorithms/bandwidth/next_event.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace holdfast::bandwidth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

// Compares lexicographically, with close yields taken as equal; returns -1, 0 or 1.
int compare(std::span<const double> a, std::span<const double> b) {
  constexpr double kSame = 1e-11;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > kSame) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

}  // namespace

NextEvent NextEventSearch::best(const Situation& situation, double window) {
  situation_ = situation;
  window_ = window;
  const std::size_t n = situation.requests.size();
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0U);
  start_.resize(n);
  sorted_start_.resize(n);
  offset_.resize(n);
  sum_slope_.resize(n + 1);
  sum_offset_.resize(n + 1);
  volumes_.resize(n);
  level_ = raise_level();
  return choose();
}

void NextEventSearch::prepare(double level) {
  prepared_ = level;
  low_ = 0;
  high_ = window_;
  low_of_ = high_of_ = kNobody;
  const auto& requests = situation_.requests;
  double most_missing = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Pending& r = requests[i];
    const double missing = level * r.age - r.progress;
    start_[i] = level > 0 ? r.progress / level - r.age : kInfinity;
    offset_[i] = r.bandwidth * missing;
    if (missing > most_missing) {
      most_missing = missing;
      low_of_ = i;
    }
    if (level > 0) {
      const double full = (r.progress + r.remaining / r.bandwidth) / level - r.age;
      if (full < high_) {
        high_ = full;
        high_of_ = i;
      }
    }
  }
  low_ = most_missing / (1 - level);
  // The order for the previous level is nearly the same, so insertion sort takes linear time.
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::uint32_t moved = order_[i];
    std::size_t hole = i;
    for (; hole > 0 && start_[order_[hole - 1]] > start_[moved]; --hole) {
      order_[hole] = order_[hole - 1];
    }
    order_[hole] = moved;
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    sorted_start_[i] = start_[order_[i]];
    sum_slope_[i + 1] = sum_slope_[i] + requests[order_[i]].bandwidth;
    sum_offset_[i + 1] = sum_offset_[i] + offset_[order_[i]];
  }
}

std::size_t NextEventSearch::started_before(double horizon, bool or_then) const {
  const auto place = or_then
                         ? std::upper_bound(sorted_start_.begin(), sorted_start_.end(), horizon)
                         : std::lower_bound(sorted_start_.begin(), sorted_start_.end(), horizon);
  return static_cast<std::size_t>(place - sorted_start_.begin());
}

// Returns the bytes that all operations but one must move by then to be at the level.
double NextEventSearch::need_before(double horizon, std::size_t without) const {
  const std::size_t started = started_before(horizon, false);
  double need = sum_offset_[started] + prepared_ * sum_slope_[started] * horizon;
  if (without != kNobody && start_[without] < horizon) {
    need -= offset_[without] + prepared_ * situation_.requests[without].bandwidth * horizon;
  }
  return need;
}

// Returns how much the needs exceed what can be moved, if `end` moves all that it has: <= 0 if the level can be reached.
double NextEventSearch::gap(double horizon, std::size_t end) const {
  return situation_.requests[end].remaining + need_before(horizon, end) -
         situation_.bandwidth * horizon;
}

bool NextEventSearch::reaches_window(double level) const {
  if (!std::isfinite(window_) || low_ > window_ || high_ < window_) return false;
  return level == 0 || need_before(window_, kNobody) <= situation_.bandwidth * window_;
}

// Returns where gap() is smallest in [low, high], which is where the slope of the needs exceeds the bandwidth; nothing if the
// interval is empty.
std::optional<double> NextEventSearch::minimiser(std::size_t end) const {
  const Pending& r = situation_.requests[end];
  const double low = std::max(low_, r.remaining / r.bandwidth);
  if (low > high_) return std::nullopt;
  if (prepared_ == 0) return low;
  const double enough = situation_.bandwidth / prepared_;
  std::size_t started = static_cast<std::size_t>(
      std::lower_bound(sum_slope_.begin(), sum_slope_.end(), enough) - sum_slope_.begin());
  const auto slope = [&](std::size_t count) {
    const bool is_among =
        count > 0 && count <= order_.size() && start_[end] <= start_[order_[count - 1]];
    return sum_slope_[count] - (is_among ? r.bandwidth : 0);
  };
  while (started <= order_.size() && slope(started) < enough) ++started;
  if (started > order_.size()) return high_;
  const double bend = started == 0 ? low : start_[order_[started - 1]];
  return std::clamp(bend, low, high_);
}

std::optional<NextEvent> NextEventSearch::reach(double level) {
  if (!(level < 1)) return std::nullopt;
  prepare(level);
  if (low_ > high_) return std::nullopt;
  // Of the events that reach the level, take the one with the most to spare, because filling it raises the level most.
  std::optional<NextEvent> best;
  double least = 0;
  if (reaches_window(level)) {
    best = NextEvent{window_, std::nullopt};
    least = need_before(window_, kNobody) / window_ - situation_.bandwidth;
  }
  for (std::size_t end = 0; end < order_.size(); ++end) {
    const auto horizon = minimiser(end);
    if (!horizon) continue;
    const double spare = gap(*horizon, end) / *horizon;
    if (spare > 0 || (best && spare >= least)) continue;
    best = NextEvent{*horizon, end};
    least = spare;
  }
  return best;
}

// Uses insertion sort for the usual case of few operations, because it is faster there.
void NextEventSearch::sort_bends() {
  constexpr std::size_t kFew = 24;
  if (bends_.size() > kFew) return std::sort(bends_.begin(), bends_.end());
  for (std::size_t i = 1; i < bends_.size(); ++i) {
    const auto moved = bends_[i];
    std::size_t hole = i;
    for (; hole > 0 && moved.first < bends_[hole - 1].first; --hole)
      bends_[hole] = bends_[hole - 1];
    bends_[hole] = moved;
  }
}

// Raises a common level until the bandwidth is used up; each operation stops at what it can move. The volumes are the
// lexicographic max-min ones. Returns the smallest yield.
double NextEventSearch::fill(const NextEvent& event) {
  const auto& requests = situation_.requests;
  const double horizon = event.horizon;
  double budget = situation_.bandwidth * horizon;
  double caps = 0;
  bends_.clear();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Pending& r = requests[i];
    volumes_[i] = std::min(r.bandwidth * horizon, r.remaining);
    if (event.end == i) {
      budget -= volumes_[i] = r.remaining;
      continue;
    }
    caps += volumes_[i];
    const double then = r.age + horizon;
    bends_.emplace_back(r.progress / then, r.bandwidth * then);
    bends_.emplace_back((r.progress + volumes_[i] / r.bandwidth) / then, -r.bandwidth * then);
  }
  if (caps > budget) {
    sort_bends();
    double level = 0, slope = 0, used = 0;
    for (const auto& [at, change] : bends_) {
      const double more = slope * (at - level);
      if (used + more >= budget) break;
      used += more;
      level = at;
      slope += change;
    }
    if (slope > 0) level += std::max(0.0, budget - used) / slope;
    double moved = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (event.end == i) continue;
      const Pending& r = requests[i];
      const double need = r.bandwidth * std::max(0.0, level * (r.age + horizon) - r.progress);
      volumes_[i] = std::min(volumes_[i], need);
      moved += volumes_[i];
    }
    // At horizons near the rounding error of ages, the needs are mostly rounding error too. They must not exceed the bandwidth.
    if (moved > budget) {
      const double factor = std::max(0.0, budget) / moved;
      for (std::size_t i = 0; i < requests.size(); ++i) {
        if (event.end != i) volumes_[i] *= factor;
      }
    }
  }
  double least = kInfinity;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Pending& r = requests[i];
    least = std::min(least, (r.progress + volumes_[i] / r.bandwidth) / (r.age + horizon));
  }
  return least;
}

// Returns the derivative of the smallest gap() for `end` with respect to the level. The horizon of the smallest gap moves with
// the constraint that binds it.
double NextEventSearch::growth(double horizon, std::size_t end) const {
  const auto& requests = situation_.requests;
  const std::size_t started = started_before(horizon, false);
  double by_level = 0, slope = -situation_.bandwidth;
  for (std::size_t i = 0; i < started; ++i) {
    if (order_[i] == end) continue;
    const Pending& r = requests[order_[i]];
    by_level += r.bandwidth * (r.age + horizon);
    slope += prepared_ * r.bandwidth;
  }
  double shift = 0;
  if (horizon == high_) {
    if (high_of_ != kNobody) shift = -(requests[high_of_].age + horizon) / prepared_;
  } else if (horizon == low_) {
    const Pending& r = requests[low_of_];
    shift = (r.age - r.progress) / ((1 - prepared_) * (1 - prepared_));
  } else if (started < order_.size() && sorted_start_[started] == horizon) {
    shift = -(requests[order_[started]].age + horizon) / prepared_;
  }
  return by_level + slope * shift;
}

// Returns the largest level that can be reached if `end` is the first to finish. It lies between a level that can be reached
// and an upper bound for all: Newton's steps on the smallest gap, and bisection if they leave the interval.
double NextEventSearch::raise_level_of(std::size_t end, double low, double high) {
  const auto& requests = situation_.requests;
  const double shortest = requests[end].remaining / requests[end].bandwidth;
  for (const Pending& r : requests) {
    high = std::min(high, (r.progress + r.remaining / r.bandwidth) / (r.age + shortest));
  }
  constexpr int kSteps = 100;
  constexpr double kRounding = 4e-15;
  bool is_high_tried = false;
  double level = low;
  for (int step = 0; step < kSteps && high - low > kRounding * low; ++step) {
    prepare(level);
    const auto horizon = low_ > high_ ? std::nullopt : minimiser(end);
    const double left = horizon ? gap(*horizon, end) : kInfinity;
    (left <= 0 ? low : high) = level;
    double next = horizon ? level - left / growth(*horizon, end) : kInfinity;
    if (std::abs(next - level) <= kRounding * level) return std::max(next, low);
    if (!(next > low && next < high)) {
      next = is_high_tried ? low + (high - low) / 2 : high;
      is_high_tried = true;
    }
    level = next;
  }
  return low;
}

// Returns the largest level that can be reached. Each level that is reached gives an event, and the best level of that event is
// the next one to try. Usually two or three events are enough.
double NextEventSearch::raise_level() {
  const auto& requests = situation_.requests;
  double above = 1;
  std::size_t first = 0;
  bool window_fits = std::isfinite(window_);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Pending& r = requests[i];
    const double shortest = r.remaining / r.bandwidth;
    const double longest = std::min(shortest, window_);
    above = std::min(above, (r.progress + longest) / (r.age + longest));
    if (shortest < requests[first].remaining / requests[first].bandwidth) first = i;
  }
  double level = 0;
  const double soonest = requests[first].remaining / requests[first].bandwidth;
  if (soonest <= window_) level = fill({soonest, first});
  if (window_fits) {
    // This is possible if no operation would have to end before the window does.
    const double least = fill({window_, std::nullopt});
    for (std::size_t i = 0; i < requests.size(); ++i) {
      window_fits = window_fits && volumes_[i] <= requests[i].remaining;
    }
    if (window_fits) level = std::max(level, least);
  }
  // At the end, a level just above must be out of reach: 1e-13 is far above the rounding error of gap() and far below the
  // difference at which two yields count as different (1e-11).
  constexpr int kSteps = 200;
  constexpr double kAbove = 1 + 1e-13;
  for (int step = 0; step < kSteps && above > level * kAbove; ++step) {
    const double probe = level * kAbove + 1e-300;
    const auto event = reach(probe);
    if (!event) break;
    const double raised = event->end ? raise_level_of(*event->end, probe, above) : fill(*event);
    level = std::max(probe, std::min(raised, above));
  }
  return level;
}

// Returns where gap() becomes 0, searched from the left. gap() is convex, piecewise linear and decreasing there, so Newton's
// steps stay on the left, and each passes at least one bend.
double NextEventSearch::earliest(std::size_t end, double latest) const {
  const Pending& r = situation_.requests[end];
  double horizon = std::max(low_, r.remaining / r.bandwidth);
  for (std::size_t step = 0; step <= order_.size() + 1; ++step) {
    const double left = gap(horizon, end);
    if (left <= 0) break;
    double slope = prepared_ * sum_slope_[started_before(horizon, true)] - situation_.bandwidth;
    if (start_[end] <= horizon) slope -= prepared_ * r.bandwidth;
    if (!(slope < 0)) return latest;
    const double next = std::min(horizon - left / slope, latest);
    if (!(next > horizon)) break;
    horizon = next;
  }
  return horizon;
}

void NextEventSearch::collect(double level, std::vector<NextEvent>& out) {
  prepare(level);
  if (low_ > high_) return;
  for (std::size_t end = 0; end < order_.size(); ++end) {
    const auto horizon = minimiser(end);
    if (horizon && gap(*horizon, end) <= 0) out.push_back({earliest(end, *horizon), end});
  }
  if (reaches_window(level)) out.push_back({window_, std::nullopt});
}

void NextEventSearch::sorted_yields(double horizon, std::vector<double>& out) const {
  out.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Pending& r = situation_.requests[i];
    out.push_back((r.progress + volumes_[i] / r.bandwidth) / (r.age + horizon));
  }
  std::sort(out.begin(), out.end());
}

// Returns the event with the largest yields among those that reach the level; of equal ones, the earliest.
NextEvent NextEventSearch::choose() {
  events_.clear();
  for (double lower = 4e-15; events_.empty() && lower < 1;
       lower = lower < 1e-13 ? 1e-13 : 4 * lower) {
    collect(level_ * (1 - lower), events_);
  }
  if (events_.empty()) events_.push_back({window_, std::nullopt});
  NextEvent chosen = events_.front();
  if (events_.size() > 1) {
    fill(chosen);
    sorted_yields(chosen.horizon, yields_);
    for (std::size_t i = 1; i < events_.size(); ++i) {
      fill(events_[i]);
      sorted_yields(events_[i].horizon, others_);
      const int order = compare(others_, yields_);
      if (order > 0 || (order == 0 && events_[i].horizon < chosen.horizon)) {
        chosen = events_[i];
        yields_.swap(others_);
      }
    }
  }
  fill(chosen);
  return chosen;
}

}  // namespace holdfast::bandwidth
