#include "holdfast/domains/machine/schedule.hpp"

#include "holdfast/contract/schedule_table.hpp"

#include <array>

namespace holdfast::machine {
namespace {

constexpr auto kScheduleRows = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"job", Unit::none, Role::lane}, member<&ScheduleRow::job>},
    {{"class", Unit::none, Role::plain}, member<&ScheduleRow::group>},
    {{"kind", Unit::none, Role::state}, member<&ScheduleRow::kind>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"rate", Unit::bytes_per_second, Role::rate}, member<&ScheduleRow::rate>},
    {{"nodes", Unit::none, Role::plain}, member<&ScheduleRow::nodes>},
    {{"lost", Unit::none, Role::lost}, member<&ScheduleRow::lost>},
    {{"struck", Unit::none, Role::mark}, member<&ScheduleRow::struck>},
});
constexpr std::span<const ScheduleColumn<ScheduleRow>> kColumns = kScheduleRows;

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of(kColumns);
}

Timeline timeline_of(std::span<const ScheduleRow> rows) {
  Timeline out(columns());
  for (const ScheduleRow& row : rows) add_row(out, kColumns, row);
  out.sort_by_start();
  return out;
}

Result<std::vector<ScheduleRow>> rows_of(const Timeline& timeline) {
  return rows_from(kColumns, timeline);
}

}  // namespace holdfast::machine
