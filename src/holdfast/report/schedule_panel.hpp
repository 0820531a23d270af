#pragma once

#include "holdfast/report/schedule.hpp"
#include "holdfast/report/timeline_view.hpp"

#include <vector>

namespace holdfast {

/// The measures of one panel in a picture of schedules. Lengths are in pixels.
struct SchedulePanel {
  static constexpr double kStackHeight = 560;  ///< height of a stacked panel
  static constexpr double kStripHeight = 110;  ///< height of the strip with rates below the bars
  static constexpr double kStripGap = 14;

  const NamedTimeline* schedule = nullptr;
  TimelineRoles roles;
  LaneLayout layout;
  /// Tops of the lanes and the bottom of the last one, from the top of the panel.
  std::vector<double> lane_tops;
  double unit_height = 0;

  [[nodiscard]] bool is_stacked() const {
    return roles.stacked && roles.width && roles.start && schedule->timeline->rows() > 0;
  }
  [[nodiscard]] bool has_rates() const { return roles.rate && schedule->timeline->rows() > 0; }
  [[nodiscard]] double bars_height() const {
    return is_stacked() ? kStackHeight : lane_tops.back();
  }
  [[nodiscard]] double height() const {
    return bars_height() + (has_rates() ? kStripGap + kStripHeight : 0);
  }
};

/// Makes a panel. Lanes are as high as their tracks or resources need: 22 pixels for a single one, less for many.
/// @param schedule  must outlive the panel
[[nodiscard]] SchedulePanel make_schedule_panel(const NamedTimeline& schedule);

}  // namespace holdfast
