#include "holdfast/domains/moldable/chain.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::moldable {

ChainOptions::ChainOptions(const Speedup& job, const Limits& limits, std::int64_t processors,
                           Of table)
    : job_{&job},
      fastest_{limits.fastest},
      is_fixed_{job.model() == SpeedupModel::roofline || limits.fastest == 1},
      least_time_{limits.time},
      most_time_{is_fixed_ ? limits.time : job.time(1)},
      least_area_{limits.area} {
  if (job.is_monotone()) return;
  points_ = pareto_frontier(job, processors);
  if (table == Of::hull) points_ = convex_hull(points_);
  is_fixed_ = points_.size() == 1;
  fastest_ = points_.back().processors;
  least_time_ = points_.back().time;
  most_time_ = points_.front().time;
}

ChainOptions::Bracket ChainOptions::bracket(double limit) const {
  Bracket out;
  if (is_fixed_) {
    out.faster = option(fastest_);
  } else if (points_.empty()) {
    const std::int64_t p = smallest_within_time(*job_, fastest_, limit);
    out.faster = option(p);
    if (p > 1) out.slower = option(p - 1);
  } else {
    auto found = std::ranges::partition_point(
        points_, [&](const FrontierPoint& point) { return point.time > limit; });
    if (found == points_.end()) --found;
    out.faster = {found->processors, found->time, found->area};
    if (found != points_.begin()) {
      --found;
      out.slower = {found->processors, found->time, found->area};
    }
  }
  return out;
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
  // How many attempts the slower allocation could have if they could be split. The tolerance lets
  // through a limit that is itself the time of such a chain.
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

}  // namespace holdfast::moldable
