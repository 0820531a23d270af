#pragma once

#include "holdfast/report/timeline_view.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// The places of the lanes in a stacked picture. Lanes are stacked from the bottom, each as high as the total width of its bars
/// at that time. Times are in the unit of the timeline, heights in resources.
struct StackedBands {
  /// The band reaches from `low` to `high` between `time` and the next step.
  struct Step {
    double time = 0;
    double low = 0;
    double high = 0;
  };
  std::vector<std::vector<Step>> lanes;  ///< steps of each lane; low == high: nothing is in use
  struct Mark {
    double time = 0;
    double height = 0;  ///< middle of the band of the lane that fails
  };
  std::vector<Mark> marks;
  double highest = 0;  ///< the largest number of resources in use at one time
};

/// Stacks the lanes of a timeline.
/// @param resolution  changes closer together than this are drawn as one, which keeps the number of steps below lanes x extent
///      / resolution
/// @pre rows in order of start; roles.lane and roles.width exist
[[nodiscard]] StackedBands stack_up(const Timeline& timeline, const TimelineRoles& roles,
                                    const LaneLayout& layout, double resolution);

}  // namespace holdfast
