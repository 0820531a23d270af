#include "holdfast/domains/cosched/schedule.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/contract/schedule_table.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast::cosched {
namespace {

constexpr auto kReasons = std::to_array<std::string_view>({"start", "failure", "completion"});

struct ScheduleRow {
  std::string_view task;
  double start = 0;
  double end = 0;
  std::int64_t processors = 0;
  AllocationInterval::Reason reason = AllocationInterval::Reason::start;
  bool faulty = false;
};

constexpr auto kSchedule = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"task", Unit::none, Role::stack}, member<&ScheduleRow::task>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"processors", Unit::none, Role::width}, member<&ScheduleRow::processors>},
    {{"reason", Unit::none, Role::state}, choice<&ScheduleRow::reason, kReasons>},
    {{"faulty", Unit::none, Role::mark}, member<&ScheduleRow::faulty>},
});

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of<ScheduleRow>(kSchedule);
}

Timeline timeline_of(const Instance& instance, std::span<const AllocationInterval> intervals) {
  Timeline out(columns());
  for (const AllocationInterval& interval : intervals) {
    add_row<ScheduleRow>(out, kSchedule,
                         {.task = instance.tasks[interval.task].id,
                          .start = interval.start,
                          .end = interval.end,
                          .processors = interval.processors,
                          .reason = interval.reason,
                          .faulty = interval.faulty});
  }
  out.sort_by_start();
  return out;
}

Result<std::vector<AllocationInterval>> intervals_of(const Instance& instance,
                                                     const Timeline& timeline) {
  HOLDFAST_TRY(rows, rows_from<ScheduleRow>(kSchedule, timeline));
  const NameIndex tasks(instance.tasks.size(), [&](std::size_t i) { return instance.tasks[i].id; });
  std::vector<AllocationInterval> out;
  out.reserve(rows.size());
  for (const ScheduleRow& row : rows) {
    HOLDFAST_TRY(task, tasks.at(row.task, "task", "/schedule"));
    out.push_back({.task = task,
                   .start = row.start,
                   .end = row.end,
                   .processors = row.processors,
                   .reason = row.reason,
                   .faulty = row.faulty});
  }
  return out;
}

}  // namespace holdfast::cosched
