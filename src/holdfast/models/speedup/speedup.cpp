#include "holdfast/models/speedup/speedup.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr auto kNames = std::to_array<std::string_view>(
    {"roofline", "communication", "amdahl", "mix", "power", "table"});

// Two times whose relative difference is below this count as equal; the smaller number of processors is preferred.
constexpr double kTie = 1e-12;

// Returns the largest p in [1, high] for which holds(p), where holds() is true up to some p and false beyond; 1 if it is never
// true. It starts at a guess, which is usually right or off by one, and doubles its steps away from it.
template <class Holds>
std::int64_t last_where(double guess, std::int64_t high, const Holds& holds) {
  std::int64_t low = guess >= static_cast<double>(high) ? high
                     : guess > 1.0                      ? static_cast<std::int64_t>(guess)
                                                        : 1;
  std::int64_t beyond;  // the smallest p known not to hold
  if (holds(low)) {
    std::int64_t step = 1;
    beyond = high + 1;
    while (low < high) {
      const std::int64_t next = step < high - low ? low + step : high;
      if (!holds(next)) {
        beyond = next;
        break;
      }
      low = next;
      step *= 2;
    }
  } else {
    std::int64_t step = 1;
    beyond = low;
    for (;;) {
      low = step < beyond - 1 ? beyond - step : 1;
      if (low == 1 || holds(low)) break;
      beyond = low;
      step *= 2;
    }
  }
  while (beyond - low > 1) {
    const std::int64_t middle = low + (beyond - low) / 2;
    (holds(middle) ? low : beyond) = middle;
  }
  return low;
}

// Returns a real p at which the area is about `limit`, in closed form for each model.
double area_guess(const Speedup& s, double limit) {
  if (s.model() == SpeedupModel::power) {
    return s.exponent() < 1 ? elementary::pow(limit / s.work(), 1 / (1 - s.exponent())) : 0x1p62;
  }
  // overhead p^2 + (sequential - overhead) p + parallel = limit, solved in the form without cancellation.
  const double half = (s.sequential_work() - s.overhead()) / 2;
  const double room = limit - s.parallel_work();
  if (!(room > 0)) return 1;
  const double root = std::sqrt(half * half + s.overhead() * room);
  return half >= 0 ? room / (half + root) : (root - half) / s.overhead();
}

// Returns a real p at which the time is about `limit`.
double time_guess(const Speedup& s, double limit) {
  if (s.model() == SpeedupModel::power) {
    return s.exponent() > 0 ? elementary::pow(s.work() / limit, 1 / s.exponent()) : 1.0;
  }
  // The smaller root of overhead p^2 - (limit - sequential + overhead) p + parallel = 0.
  const double half = (limit - s.sequential_work() + s.overhead()) / 2;
  const double square = half * half - s.overhead() * s.parallel_work();
  return s.parallel_work() / (half + std::sqrt(square > 0 ? square : 0.0));
}

}  // namespace

std::string_view name(SpeedupModel model) {
  return kNames[static_cast<std::size_t>(model)];
}
std::span<const std::string_view> speedup_model_names() {
  return kNames;
}

Speedup Speedup::roofline(double work, std::int64_t max_parallelism) {
  Speedup out = mix_of_parts(work, 0, max_parallelism, 0);
  out.model_ = SpeedupModel::roofline;
  return out;
}

Speedup Speedup::communication(double work, double overhead) {
  Speedup out = mix_of_parts(work, 0, kUnbounded, overhead);
  out.model_ = SpeedupModel::communication;
  return out;
}

Speedup Speedup::amdahl(double work, double sequential_fraction) {
  Speedup out = mix(work, kUnbounded, sequential_fraction, 0);
  out.model_ = SpeedupModel::amdahl;
  return out;
}

Speedup Speedup::amdahl_of_parts(double parallel_work, double sequential_work) {
  Speedup out = mix_of_parts(parallel_work, sequential_work, kUnbounded, 0);
  out.model_ = SpeedupModel::amdahl;
  return out;
}

Speedup Speedup::mix(double work, std::int64_t max_parallelism, double sequential_fraction,
                     double overhead) {
  assert(sequential_fraction >= 0 && sequential_fraction <= 1);
  Speedup out = mix_of_parts(work * (1 - sequential_fraction), work * sequential_fraction,
                             max_parallelism, overhead);
  out.work_ = work;
  out.shape_ = sequential_fraction;
  return out;
}

Speedup Speedup::mix_of_parts(double parallel_work, double sequential_work,
                              std::int64_t max_parallelism, double overhead) {
  assert(parallel_work >= 0 && sequential_work >= 0 && max_parallelism >= 1 && overhead >= 0);
  Speedup out;
  out.model_ = SpeedupModel::mix;
  out.cap_ = max_parallelism;
  out.work_ = parallel_work + sequential_work;
  out.parallel_ = parallel_work;
  out.sequential_ = sequential_work;
  out.overhead_ = overhead;
  return out;
}

Speedup Speedup::power(double work, double exponent) {
  assert(work >= 0 && exponent >= 0 && exponent <= 1);
  Speedup out;
  out.model_ = SpeedupModel::power;
  out.work_ = work;
  out.shape_ = exponent;
  return out;
}

Speedup Speedup::table(std::vector<double> times, std::int64_t cap) {
  assert(!times.empty() && cap >= 1);
  Speedup out;
  out.model_ = SpeedupModel::table;
  out.times_size_ = times.size();
  out.is_capped_ = cap != kUnbounded;
  out.cap_ = std::min(cap, static_cast<std::int64_t>(times.size()));
  out.work_ = times.front();
  auto shared = std::make_shared<double[]>(times.size());
  std::copy(times.begin(), times.end(), shared.get());
  out.times_ = std::move(shared);
  return out;
}

std::int64_t Speedup::fastest(std::int64_t processors) const {
  assert(processors >= 1);
  switch (model_) {
    case SpeedupModel::power:
      return work_ > 0 && shape_ > 0 ? processors : 1;
    case SpeedupModel::table: {
      const auto last =
          times_.get() + std::min(limit(processors), static_cast<std::int64_t>(times_size_));
      return std::min_element(times_.get(), last) - times_.get() + 1;
    }
    default:
      break;
  }
  if (!(parallel_ > 0)) return 1;
  const std::int64_t cap = std::min(processors, cap_);
  if (!(overhead_ > 0)) return cap;
  const double root = std::sqrt(parallel_ / overhead_);
  if (root >= static_cast<double>(cap)) return cap;
  const std::int64_t below = std::max<std::int64_t>(1, static_cast<std::int64_t>(root));
  return below < cap && time(below + 1) < time(below) * (1 - kTie) ? below + 1 : below;
}

double Speedup::least_area(std::int64_t processors) const {
  if (model_ != SpeedupModel::table) return area(1);
  double least = area(1);
  for (std::int64_t p = 2; p <= limit(processors); ++p) least = std::min(least, area(p));
  return least;
}

std::int64_t largest_within_area(const Speedup& speedup, std::int64_t fastest, double limit) {
  assert(speedup.is_monotone());
  return last_where(area_guess(speedup, limit), fastest,
                    [&](std::int64_t p) { return speedup.area(p) <= limit; });
}

std::int64_t smallest_within_time(const Speedup& speedup, std::int64_t fastest, double limit) {
  assert(speedup.is_monotone());
  if (fastest == 1 || speedup.time(1) <= limit) return 1;
  // One above the last p that is still too slow. The search is on [1, fastest - 1], because `fastest` is the answer if all are
  // too slow.
  return 1 + last_where(time_guess(speedup, limit), fastest - 1,
                        [&](std::int64_t p) { return speedup.time(p) > limit; });
}

std::vector<FrontierPoint> pareto_frontier(const Speedup& speedup, std::int64_t processors) {
  std::vector<FrontierPoint> out;
  const std::int64_t last =
      speedup.is_monotone() ? speedup.fastest(processors) : speedup.limit(processors);
  for (std::int64_t p = 1; p <= last; ++p) {
    const FrontierPoint point{p, speedup.time(p), speedup.area(p)};
    if (!out.empty() && point.time >= out.back().time) continue;
    while (!out.empty() && out.back().area >= point.area) out.pop_back();
    out.push_back(point);
  }
  return out;
}

std::vector<FrontierPoint> convex_hull(std::span<const FrontierPoint> frontier) {
  std::vector<FrontierPoint> out;
  for (const FrontierPoint& point : frontier) {
    // Drop the middle of three points if it lies on or above the line between its neighbours.
    while (out.size() >= 2) {
      const FrontierPoint& a = out[out.size() - 2];
      const FrontierPoint& b = out.back();
      if ((b.area - a.area) * (a.time - point.time) < (point.area - a.area) * (a.time - b.time))
        break;
      out.pop_back();
    }
    out.push_back(point);
  }
  return out;
}

}  // namespace holdfast
