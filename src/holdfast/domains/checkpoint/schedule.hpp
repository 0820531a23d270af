#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {

/// One activity of the job, from one instant to another.
struct ScheduleRow {
  std::string_view
      kind;  ///< kind of activity: work, checkpoint, downtime, recovery; or an instant: failure, submission
  double start = 0;  ///< seconds from the job's start
  double end = 0;
  bool lost = false;  ///< true if it was cut short, or if its work was lost
};

/// The columns of --schedule.
[[nodiscard]] std::vector<TimelineColumn> columns();
[[nodiscard]] Timeline timeline_of(std::span<const ScheduleRow> rows);
/// Returns the rows of a timeline, which holds their texts.
[[nodiscard]] Result<std::vector<ScheduleRow>> rows_of(const Timeline& timeline);

}  // namespace holdfast::checkpoint
