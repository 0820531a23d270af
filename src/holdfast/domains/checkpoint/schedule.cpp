#include "holdfast/domains/checkpoint/schedule.hpp"

#include "holdfast/contract/schedule_table.hpp"

#include <array>

namespace holdfast::checkpoint {
namespace {

constexpr auto kSchedule = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"kind", Unit::none, Role::state}, member<&ScheduleRow::kind>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"lost", Unit::none, Role::lost}, member<&ScheduleRow::lost>},
});

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of<ScheduleRow>(kSchedule);
}

Timeline timeline_of(std::span<const ScheduleRow> rows) {
  Timeline out(columns());
  for (const ScheduleRow& row : rows) add_row<ScheduleRow>(out, kSchedule, row);
  return out;
}

Result<std::vector<ScheduleRow>> rows_of(const Timeline& timeline) {
  return rows_from<ScheduleRow>(kSchedule, timeline);
}

}  // namespace holdfast::checkpoint
