#include "holdfast/report/schedule_panel.hpp"

#include "holdfast/report/bars.hpp"

#include <algorithm>
#include <cstdint>

namespace holdfast {
namespace {

constexpr double kTallest = 800;  // approximate limit of the height of a panel

void measure(SchedulePanel& panel) {
  const BarRows rows(*panel.schedule->timeline, panel.roles, panel.layout);
  const auto units = static_cast<double>(std::max<std::int64_t>(rows.units(), 1));
  panel.unit_height = std::min(kTallest / units, 22.0);
  panel.unit_height = std::max(panel.unit_height, 1.0);
  for (std::size_t lane = 0; lane <= panel.layout.names.size(); ++lane) {
    panel.lane_tops.push_back(static_cast<double>(rows.first(lane)) * panel.unit_height);
  }
  if (rows.units() == 0) panel.lane_tops.back() = panel.unit_height;
}

}  // namespace

SchedulePanel make_schedule_panel(const NamedTimeline& schedule) {
  SchedulePanel panel;
  panel.schedule = &schedule;
  panel.roles = find_roles(*schedule.timeline);
  panel.layout = lay_out(*schedule.timeline, panel.roles);
  if (!panel.is_stacked()) measure(panel);
  return panel;
}

}  // namespace holdfast
