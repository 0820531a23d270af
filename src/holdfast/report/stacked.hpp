#pragma once

#include "holdfast/report/timeline_view.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// Where the lanes of a stacked picture lie: lane on lane from the bottom, each as high as its bars are wide at that
/// time. Times in the unit of the timeline, heights in resources.
struct StackedBands {
  /// From `time` to the next step the band reaches from `low` to `high`.
  struct Step {
    double time = 0;
    double low = 0;
    double high = 0;
  };
  std::vector<std::vector<Step>> lanes;  ///< per lane; low == high: nothing is held
  struct Mark {
    double time = 0;
    double height = 0;  ///< the middle of the band that is struck
  };
  std::vector<Mark> marks;
  double highest = 0;  ///< the most that is held at one time
};

/// @param resolution  changes nearer in time than this are drawn as one; keeps the number of steps below
///                    lanes x extent / resolution
/// @pre rows in order of start; roles.lane and roles.width exist
[[nodiscard]] StackedBands stack_up(const Timeline& timeline, const TimelineRoles& roles,
                                    const LaneLayout& layout, double resolution);

}  // namespace holdfast
