#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {

/// What the job did from one instant to another.
struct ScheduleRow {
  std::string_view kind;  ///< work, checkpoint, downtime, recovery
  double start = 0;       ///< seconds from the job's start
  double end = 0;
  bool lost = false;  ///< it was cut short, or its work was lost
};

/// Columns of --schedule.
[[nodiscard]] std::vector<TimelineColumn> columns();
[[nodiscard]] Timeline timeline_of(std::span<const ScheduleRow> rows);
/// The rows again; their texts live in the timeline.
[[nodiscard]] Result<std::vector<ScheduleRow>> rows_of(const Timeline& timeline);

}  // namespace holdfast::checkpoint
