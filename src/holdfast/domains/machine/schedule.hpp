#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::machine {

/// One activity of a job between two dates, at a constant rate; in seconds and bytes/s.
struct ScheduleRow {
  std::string_view job;
  std::string_view group;  ///< class of the job
  std::string_view kind;   ///< input, work, checkpoint, wait, downtime, recovery, output
  double start = 0;
  double end = 0;
  double rate = 0;  ///< rate of its transfer, bytes/s
  std::int64_t nodes = 0;
  bool lost = false;    ///< true: a failure destroyed it
  bool struck = false;  ///< true: one of its nodes failed at the start of the row
};

/// Returns the columns of --schedule.
[[nodiscard]] std::vector<TimelineColumn> columns();
[[nodiscard]] Timeline timeline_of(std::span<const ScheduleRow> rows);
/// Returns the rows of a timeline, which holds their texts.
[[nodiscard]] Result<std::vector<ScheduleRow>> rows_of(const Timeline& timeline);

}  // namespace holdfast::machine
