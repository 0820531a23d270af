#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The column of each role, where the schedule has one.
struct TimelineRoles {
  std::optional<std::size_t> lane, label, state, start, end, width, mark;
  bool stacked = false;  ///< the lane's role is Role::stack
};

[[nodiscard]] TimelineRoles find_roles(const Timeline& timeline);

/// A cell as text: numbers the shortest that reads back the same, an absent cell as nothing.
[[nodiscard]] std::string cell_text(const TimelineCell& cell);
/// A number of any kind, or nothing.
[[nodiscard]] std::optional<double> cell_number(const TimelineCell& cell);
[[nodiscard]] Value cell_value(const TimelineCell& cell);

/// Start and end of a row in the timeline's own unit; a row without an end reaches to `last`.
struct Interval {
  double start = 0;
  double end = 0;
};
[[nodiscard]] Interval interval_of(const Timeline& timeline, const TimelineRoles& roles,
                                   std::size_t row, double last);
/// From the first start to the last end; {0, 0} for an empty timeline.
[[nodiscard]] Interval extent_of(const Timeline& timeline, const TimelineRoles& roles);

/// The state that colours a row: "work", "lost" ...; a flag `failed` reads "failed" or "not failed". Empty: none.
[[nodiscard]] std::string state_of(const Timeline& timeline, const TimelineRoles& roles,
                                   std::size_t row);

/// Where the rows of a timeline lie in a picture: a lane is a resource, and rows of one lane that overlap in time get
/// tracks of their own.
struct LaneLayout {
  std::vector<std::string>
      names;  ///< lanes from top to bottom: by number, else in order of appearance
  std::vector<std::uint32_t> tracks;    ///< per lane: how many
  std::vector<std::uint32_t> lane_of;   ///< per row
  std::vector<std::uint32_t> track_of;  ///< per row: position inside its lane
};

/// @pre rows in order of start
[[nodiscard]] LaneLayout lay_out(const Timeline& timeline, const TimelineRoles& roles);

}  // namespace holdfast
