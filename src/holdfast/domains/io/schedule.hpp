#pragma once

#include "holdfast/contract/schedule_table.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::io {

/// What an application does between two dates.
enum class Doing : std::uint8_t { work, io, wait };
inline constexpr auto kDoing = std::to_array<std::string_view>({"work", "io", "wait"});

/// A row of --schedule.
struct ScheduleRow {
  std::string_view application;
  Doing kind = Doing::work;
  double start = 0;  ///< seconds
  double end = 0;
  double rate = 0;  ///< bytes/s
};

inline constexpr auto kSchedule = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"application", Unit::none, Role::lane}, member<&ScheduleRow::application>},
    {{"kind", Unit::none, Role::state}, choice<&ScheduleRow::kind, kDoing>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"rate", Unit::bytes_per_second, Role::rate}, member<&ScheduleRow::rate>},
});

[[nodiscard]] inline std::vector<TimelineColumn> columns() {
  return columns_of<ScheduleRow>(kSchedule);
}

}  // namespace holdfast::io
