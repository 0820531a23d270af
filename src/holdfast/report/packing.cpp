#include "holdfast/report/packing.hpp"

#include <cmath>

namespace holdfast {

std::vector<std::int64_t> most_at_once(const Timeline& timeline, const TimelineRoles& roles,
                                       std::span<const std::uint32_t> lane_of, std::size_t lanes) {
  const double last = extent_of(timeline, roles).end;
  std::vector<std::vector<WideBar>> bars(lanes);
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    const auto width = static_cast<std::int64_t>(std::llround(width_of(timeline, roles, row)));
    bars[lane_of[row]].push_back({interval_of(timeline, roles, row, last), width});
  }
  std::vector<std::int64_t> most;
  most.reserve(lanes);
  for (const std::vector<WideBar>& lane : bars) most.push_back(most_at_once(lane));
  return most;
}

}  // namespace holdfast
