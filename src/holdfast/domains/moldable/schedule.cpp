#include "holdfast/domains/moldable/schedule.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/contract/schedule_table.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast::moldable {
namespace {

struct ScheduleRow {
  std::string_view job;
  std::int64_t attempt = 1;
  double start = 0;
  double end = 0;
  std::int64_t processors = 1;
  bool failed = false;
};

constexpr auto kSchedule = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"job", Unit::none, Role::label}, member<&ScheduleRow::job>},
    {{"attempt", Unit::none, Role::plain}, member<&ScheduleRow::attempt>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"processors", Unit::none, Role::width}, member<&ScheduleRow::processors>},
    {{"failed", Unit::none, Role::state}, member<&ScheduleRow::failed>},
});

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of<ScheduleRow>(kSchedule);
}

Timeline timeline_of(const Instance& instance, std::span<const Attempt> attempts) {
  Timeline out(columns());
  for (const Attempt& attempt : attempts) {
    const std::string job = instance.name(attempt.job);
    add_row<ScheduleRow>(out, kSchedule,
                         {.job = job,
                          .attempt = attempt.number,
                          .start = attempt.start,
                          .end = attempt.end,
                          .processors = attempt.processors,
                          .failed = attempt.has_failed});
  }
  out.sort_by_start();
  return out;
}

Result<std::vector<Attempt>> attempts_of(const Instance& instance, const Timeline& timeline) {
  HOLDFAST_TRY(rows, rows_from<ScheduleRow>(kSchedule, timeline));
  const NameIndex jobs(instance.size(), [&](std::size_t job) { return instance.name(job); });
  std::vector<Attempt> out;
  out.reserve(rows.size());
  for (const ScheduleRow& row : rows) {
    HOLDFAST_TRY(job, jobs.at(row.job, "job", "/schedule"));
    out.push_back({.job = static_cast<std::uint32_t>(job),
                   .number = row.attempt,
                   .processors = row.processors,
                   .start = row.start,
                   .end = row.end,
                   .has_failed = row.failed});
  }
  return out;
}

}  // namespace holdfast::moldable
