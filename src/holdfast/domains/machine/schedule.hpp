#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::machine {

/// One activity of a job from one date to another, at one rate; in seconds and bytes/s.
struct ScheduleRow {
  std::string_view job;
  std::string_view group;  ///< its class
  std::string_view kind;   ///< input, work, checkpoint, wait, downtime, recovery, output
  double start = 0;
  double end = 0;
  double rate = 0;  ///< rate of its transfer
  std::int64_t nodes = 0;
  bool lost = false;    ///< a failure took it
  bool struck = false;  ///< a failure of one of its nodes, at the start of the row
};

/// Columns of --schedule.
[[nodiscard]] std::vector<TimelineColumn> columns();
[[nodiscard]] Timeline timeline_of(std::span<const ScheduleRow> rows);
/// Returns the rows again; their texts live in the timeline.
[[nodiscard]] Result<std::vector<ScheduleRow>> rows_of(const Timeline& timeline);

}  // namespace holdfast::machine
