#include "holdfast/report/stacked.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace holdfast {
namespace {

constexpr double kRounding = 1e-12;  // rounding error, as a part of a width

struct WidthChange {
  double time = 0;
  std::uint32_t lane = 0;
  double width = 0;  // taken (> 0) or released (< 0)
};

std::vector<WidthChange> changes_of(const Timeline& timeline, const TimelineRoles& roles,
                                    const LaneLayout& layout) {
  const double last = extent_of(timeline, roles).end;
  std::vector<WidthChange> changes;
  changes.reserve(2 * timeline.rows());
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    const double width = cell_number(timeline.row(row)[*roles.width]).value_or(1);
    const Interval when = interval_of(timeline, roles, row, last);
    changes.push_back({when.start, layout.lane_of[row], width});
    changes.push_back({when.end, layout.lane_of[row], -width});
  }
  // At the same time, resources are released before they are taken, whatever the order of rows.
  std::stable_sort(changes.begin(), changes.end(),
                   [](const WidthChange& a, const WidthChange& b) { return a.time < b.time; });
  return changes;
}

// Returns the middle of the band at that time.
double middle(const std::vector<StackedBands::Step>& steps, double time) {
  auto after = std::upper_bound(
      steps.begin(), steps.end(), time,
      [](double wanted, const StackedBands::Step& step) { return wanted < step.time; });
  if (after != steps.begin()) --after;
  return (after->low + after->high) / 2;
}

}  // namespace

StackedBands stack_up(const Timeline& timeline, const TimelineRoles& roles,
                      const LaneLayout& layout, double resolution) {
  StackedBands bands;
  bands.lanes.resize(layout.names.size());
  std::vector<double> held(layout.names.size());
  const std::vector<WidthChange> changes = changes_of(timeline, roles, layout);
  for (std::size_t next = 0; next < changes.size();) {
    const double time = changes[next].time;
    while (next < changes.size() && changes[next].time <= time + resolution) {
      double& now = held[changes[next].lane];
      now += changes[next].width;
      // Fractions that were taken and released leave a rounding error.
      if (std::abs(now) <= kRounding * std::abs(changes[next].width)) now = 0;
      ++next;
    }
    double low = 0;
    for (std::size_t lane = 0; lane < held.size(); ++lane) {
      auto& steps = bands.lanes[lane];
      const double high = low + held[lane];
      const bool was_held = !steps.empty() && steps.back().high > steps.back().low;
      if (high > low ? (!was_held || steps.back().low != low || steps.back().high != high)
                     : was_held) {
        steps.push_back({time, low, high});
      }
      low = high;
    }
    bands.highest = std::max(bands.highest, low);
  }
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    if (!is_marked(timeline, roles, row)) continue;
    const double time = cell_number(timeline.row(row)[*roles.start]).value_or(0);
    bands.marks.push_back({time, middle(bands.lanes[layout.lane_of[row]], time)});
  }
  return bands;
}

}  // namespace holdfast
