#include "holdfast/domains/workflow/schedule.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/contract/schedule_table.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::workflow {
namespace {

struct ScheduleRow {
  std::string_view task;
  double start = 0;
  double end = 0;
  std::int64_t processors = 1;
  std::int64_t segments = 1;
  std::int64_t failures = 0;
};

constexpr auto kSchedule = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"task", Unit::none, Role::label}, member<&ScheduleRow::task>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"processors", Unit::none, Role::width}, member<&ScheduleRow::processors>},
    {{"segments", Unit::none, Role::plain}, member<&ScheduleRow::segments>},
    {{"failures", Unit::none, Role::state}, member<&ScheduleRow::failures>},
});

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of<ScheduleRow>(kSchedule);
}

Timeline timeline_of(const Instance& instance, std::span<const TaskRun> tasks) {
  Timeline out(columns());
  for (const TaskRun& run : tasks) {
    const std::string task = instance.name(run.task);
    add_row<ScheduleRow>(out, kSchedule,
                         {.task = task,
                          .start = run.start,
                          .end = run.end,
                          .processors = instance.width(run.task),
                          .segments = run.segments,
                          .failures = run.failures});
  }
  out.sort_by_start();
  return out;
}

Result<std::vector<TaskRun>> tasks_of(const Instance& instance, const Timeline& timeline) {
  HOLDFAST_TRY(rows, rows_from<ScheduleRow>(kSchedule, timeline));
  const NameIndex tasks(instance.size(), [&](std::size_t task) { return instance.name(task); });
  std::vector<TaskRun> out;
  out.reserve(rows.size());
  for (const ScheduleRow& row : rows) {
    HOLDFAST_TRY(task, tasks.at(row.task, "task", "/schedule"));
    out.push_back({.task = static_cast<TaskIndex>(task),
                   .start = row.start,
                   .end = row.end,
                   .segments = row.segments,
                   .failures = row.failures});
  }
  return out;
}

}  // namespace holdfast::workflow
