#pragma once

#include "holdfast/report/schedule_drawing.hpp"
#include "holdfast/report/schedule_panel.hpp"

#include <string_view>

namespace holdfast {

/// Colours that are light enough for black marks and names; neighbours can be distinguished by colour-blind readers (after
/// Okabe and Ito).
inline constexpr std::string_view kBandColors[] = {"#8FC1E3", "#F4C26B", "#8FD3BF", "#E3A9C8",
                                                   "#C9C9C9"};

/// Draws bands of one colour each, lane 0 at the bottom, with a scale of the stacked quantity at the left.
void draw_stack(SinkBuffer& out, const TimeScale& time, const SchedulePanel& panel,
                const TimelineRoles& roles, double top, double height);

}  // namespace holdfast
