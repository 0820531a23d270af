#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/kernel/packing.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The column of each role, if the schedule has one.
struct TimelineRoles {
  std::optional<std::size_t> lane, label, state, start, end, width, rate, mark, lost, release;
  bool stacked = false;  ///< the lane's role is Role::stack
};

[[nodiscard]] TimelineRoles find_roles(const Timeline& timeline);

/// Returns a cell as text: a number as the shortest text that reads back the same, an empty cell as an empty text.
[[nodiscard]] std::string cell_text(const TimelineCell& cell);
/// Returns the number in a cell, whatever its type; nothing if it is not a number.
[[nodiscard]] std::optional<double> cell_number(const TimelineCell& cell);
[[nodiscard]] Value cell_value(const TimelineCell& cell);

/// Returns start and end of a row in the timeline's own unit. A row without an end reaches to `last`.
[[nodiscard]] Interval interval_of(const Timeline& timeline, const TimelineRoles& roles,
                                   std::size_t row, double last);
/// Returns the interval from the first start to the last end; {0, 0} for an empty timeline.
[[nodiscard]] Interval extent_of(const Timeline& timeline, const TimelineRoles& roles);

/// Returns the word that decides the colour of a row, the same in every picture: "kept" (work that counts), "lost" (work that
/// was lost), "checkpoint", "recovery", "wait" ... If a schedule says which rows were lost (a flag as its state, a column of
/// `lost`, outcomes), its other work is "kept". Everything else keeps the schedule's own word; a count is preceded by the name
/// of its column ("failures: 2"). Empty if there is no state.
[[nodiscard]] std::string state_of(const Timeline& timeline, const TimelineRoles& roles,
                                   std::size_t row);

/// Returns the schedule's own word for a row: "work", "recovery" ... If that is not a text, it returns the result of
/// state_of().
[[nodiscard]] std::string word_of(const Timeline& timeline, const TimelineRoles& roles,
                                  std::size_t row);

/// Returns the number of resources that a row takes; 1 if the schedule does not say.
[[nodiscard]] double width_of(const Timeline& timeline, const TimelineRoles& roles,
                              std::size_t row);

/// Returns true if a failure struck where a row starts.
[[nodiscard]] bool is_marked(const Timeline& timeline, const TimelineRoles& roles, std::size_t row);

/// The places of a timeline's rows in a picture. A lane is a resource, and rows of one lane that overlap in time get separate
/// tracks; one without length is at the first. A lane that has no rows, only times when it could not be used, has no track.
struct LaneLayout {
  /// Names of the lanes from top to bottom: in order of number if they are numbers, else in order of appearance.
  std::vector<std::string> names;
  std::vector<std::uint32_t> tracks;  ///< number of tracks per lane
  /// Per lane: true if there were times when it could not be used.
  std::vector<bool> has_absences;
  std::vector<std::uint32_t> lane_of;   ///< per row, then per interval of Timeline::unavailable()
  std::vector<std::uint32_t> track_of;  ///< per row: position inside its lane
};

/// Returns the places of a timeline's rows. @pre rows in order of start
[[nodiscard]] LaneLayout lay_out(const Timeline& timeline, const TimelineRoles& roles);

}  // namespace holdfast
