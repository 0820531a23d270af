#pragma once

#include "holdfast/report/schedule_drawing.hpp"
#include "holdfast/report/schedule_panel.hpp"

#include <string_view>

namespace holdfast {

/// Light enough for black marks and names; neighbours differ for colour-blind readers too (after Okabe and Ito).
inline constexpr std::string_view kBandColors[] = {"#8FC1E3", "#F4C26B", "#8FD3BF", "#E3A9C8",
                                                   "#C9C9C9"};

/// Bands of one colour each, lane 0 at the bottom, with a scale of what is stacked at the left.
void draw_stack(SinkBuffer& out, const TimeScale& time, const SchedulePanel& panel,
                const TimelineRoles& roles, double top, double height);

}  // namespace holdfast
