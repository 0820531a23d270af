#include "holdfast/report/batch_columns.hpp"

#include "holdfast/base/csv_cell.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast {
BatchColumns::BatchColumns(const Timeline& timeline)
    : timeline_{timeline},
      roles_{find_roles(timeline)},
      layout_{lay_out(timeline, roles_)},
      last_{extent_of(timeline, roles_).end} {
  const std::size_t lanes = layout_.names.size();
  std::int64_t per_lane = 0;
  for (const std::int64_t most : most_at_once(timeline, roles_, layout_.lane_of, lanes)) {
    per_lane = std::max(per_lane, most);
  }
  packers_.reserve(lanes);
  std::int64_t resources = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    packers_.emplace_back(per_lane);
    first_resource_.push_back(resources);
    if (layout_.tracks[lane] > 0) resources += per_lane;
  }
}

bool BatchColumns::serve(const Timeline& timeline) {
  const TimelineRoles roles = find_roles(timeline);
  return roles.label && roles.width && roles.release && roles.start && roles.end;
}

std::string_view BatchColumns::header() {
  return "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_"
         "time,"
         "success,final_state,starting_time,execution_time,finish_time,waiting_time,"
         "turnaround_time,stretch,allocated_resources,consumed_energy,metadata";
}

std::string BatchColumns::resources(std::size_t row, Interval when, std::int64_t width,
                                    std::string_view name) {
  const std::uint32_t lane = layout_.lane_of[row];
  return interval_set_text(packers_[lane].place(when, width, name), first_resource_[lane]);
}

std::string BatchColumns::cells(std::size_t row) {
  const auto cells = timeline_.row(row);
  const std::string name = cell_text(cells[*roles_.label]);
  const Interval when = interval_of(timeline_, roles_, row, last_);
  const auto width = static_cast<std::int64_t>(std::llround(width_of(timeline_, roles_, row)));
  const std::string taken = resources(row, when, width, name);

  Earlier& earlier = earlier_[name];
  const bool is_again = earlier.runs > 0;
  const std::string id = csv_cell(is_again ? fmt::format("{}#{}", name, earlier.runs) : name);
  const double submitted =
      is_again ? earlier.end : cell_number(cells[*roles_.release]).value_or(when.start);
  ++earlier.runs;
  earlier.end = when.end;

  std::string out = fmt::format("{},w0,{},{},{},,", id, csv_cell(name), to_text(submitted), width);
  const double waited = when.start - submitted;
  const std::string state = state_of(timeline_, roles_, row);
  if (state == "running" || !cell_number(cells[*roles_.end])) {
    return out +
           fmt::format(",RUNNING,{},,,{},,,{},,", to_text(when.start), to_text(waited), taken);
  }
  // The shutdown also ended a run that was saved first; the next run is another submission.
  const bool is_killed = state == "lost" || state == "saved";
  const double ran = when.end - when.start;
  out += fmt::format("{},{},{},{},{},{},{},", is_killed ? 0 : 1,
                     is_killed ? "COMPLETED_KILLED" : "COMPLETED_SUCCESSFULLY", to_text(when.start),
                     to_text(ran), to_text(when.end), to_text(waited), to_text(waited + ran));
  if (ran > 0) out += to_text((waited + ran) / ran);
  return out + fmt::format(",{},-1,", taken);
}

}  // namespace holdfast
