#include "holdfast/domains/moldable/chain.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::moldable {
namespace {

constexpr std::int64_t kMostSlower = 8;  // slower allocations that are tried for pairs

}  // namespace

ChainOptions::ChainOptions(const Speedup& job, const Limits& limits, std::int64_t processors,
                           Of table)
    : job_{&job},
      fastest_{limits.fastest},
      is_fixed_{job.model() == SpeedupModel::roofline || limits.fastest == 1},
      least_time_{limits.time},
      most_time_{is_fixed_ ? limits.time : job.time(1)},
      least_area_{limits.area},
      is_table_{!job.is_monotone()} {
  if (!is_table_) {
    const std::int64_t first = is_fixed_ ? fastest_ : 1;
    const std::int64_t last = std::min(fastest_, first + kMostSlower);
    for (std::int64_t p = first; p <= last; ++p) {
      const Option one = option(p);
      points_.push_back({p, one.time, one.area});
    }
    return;
  }
  points_ = pareto_frontier(job, std::min(processors, limits.widest));
  if (table == Of::hull) points_ = convex_hull(points_);
  is_fixed_ = points_.size() == 1;
  fastest_ = points_.back().processors;
  least_time_ = points_.back().time;
  most_time_ = points_.front().time;
}

ChainOptions::Bracket ChainOptions::bracket(double limit) const {
  const std::int64_t slower = slower_than(limit);
  Bracket out{.faster = at(slower), .slower = {}};
  if (slower > 0) out.slower = at(slower - 1);
  return out;
}

std::int64_t ChainOptions::slower_than(double limit) const {
  if (is_fixed_) return 0;
  if (!is_table_ && points_.back().time > limit) {
    return smallest_within_time(*job_, fastest_, limit) - 1;
  }
  const auto found = std::ranges::partition_point(
      points_, [&](const FrontierPoint& point) { return point.time > limit; });
  return std::min(found - points_.begin(), std::ssize(points_) - 1);
}

TwoPoint two_point(const ChainOptions& options, std::int64_t attempts, double limit) {
  const auto g = static_cast<double>(attempts);
  const ChainOptions::Bracket around = options.bracket(limit / g);
  TwoPoint out{.faster = around.faster, .slower = around.slower};
  if (around.slower.processors == 0 || !(around.slower.time > around.faster.time)) {
    out.time = g * around.faster.time;
    out.area = out.relaxed_area = g * around.faster.area;
    return out;
  }
  const auto& [faster, slower] = around;
  // The number of attempts on the slower allocation if they could be split. The tolerance accepts
  // a limit that is itself the time of such a chain.
  const double split = std::clamp((limit - g * faster.time) / (slower.time - faster.time), 0.0, g);
  const double whole = std::min(std::floor(split + 1e-12), g);
  out.slow_attempts = static_cast<std::int64_t>(whole);
  out.time = whole * slower.time + (g - whole) * faster.time;
  out.area = whole * slower.area + (g - whole) * faster.area;
  out.relaxed_area = split * slower.area + (g - split) * faster.area;
  const double more = std::min(whole + 1, g);
  out.next = more * slower.time + (g - more) * faster.time;
  return out;
}

double pairs_begin(const ChainOptions& options) {
  return 2 * options.at(kMostSlower).time;
}

std::optional<TwoPoint> best_pair(const ChainOptions& options, double limit) {
  const std::int64_t half = options.slower_than(limit / 2);
  if (half > kMostSlower) return std::nullopt;
  const ChainOptions::Option even = options.at(half);
  TwoPoint best{.faster = even, .slower = {}};
  best.time = 2 * even.time;
  best.area = 2 * even.area;
  for (std::int64_t slow = 0; slow < half; ++slow) {
    const ChainOptions::Option slower = options.at(slow);
    // `next` is the least limit at which this one can be paired, or paired with a slower one.
    std::int64_t fast = options.slower_than(limit - slower.time);
    ChainOptions::Option faster = options.at(fast);
    if (slower.time + faster.time > limit) {
      best.next = std::min(best.next, slower.time + faster.time);
      continue;
    }
    // Rounding of the difference may have hidden a pair whose time is exactly the limit.
    while (fast > slow && slower.time + options.at(fast - 1).time <= limit) {
      faster = options.at(--fast);
    }
    if (fast > slow) best.next = std::min(best.next, slower.time + options.at(fast - 1).time);
    const double area = slower.area + faster.area;
    if (area >= best.area) continue;
    best.faster = faster;
    best.slower = slower;
    best.slow_attempts = 1;
    best.time = slower.time + faster.time;
    best.area = area;
  }
  return best;
}

}  // namespace holdfast::moldable
