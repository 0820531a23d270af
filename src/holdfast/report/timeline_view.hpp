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

/// The column of each role, where the schedule has one.
struct TimelineRoles {
  std::optional<std::size_t> lane, label, state, start, end, width, rate, mark, lost, release;
  bool stacked = false;  ///< the lane's role is Role::stack
};

[[nodiscard]] TimelineRoles find_roles(const Timeline& timeline);

/// Returns a cell as text: numbers the shortest that reads back the same, an absent cell as nothing.
[[nodiscard]] std::string cell_text(const TimelineCell& cell);
/// Returns a number of any kind, or nothing.
[[nodiscard]] std::optional<double> cell_number(const TimelineCell& cell);
[[nodiscard]] Value cell_value(const TimelineCell& cell);

/// Start and end of a row in the timeline's own unit; a row without an end reaches to `last`.
[[nodiscard]] Interval interval_of(const Timeline& timeline, const TimelineRoles& roles,
                                   std::size_t row, double last);
/// From the first start to the last end; {0, 0} for an empty timeline.
[[nodiscard]] Interval extent_of(const Timeline& timeline, const TimelineRoles& roles);

/// Returns the word that colours a row, the same in every picture: "kept" (work that counts), "lost" (work in vain),
/// "checkpoint", "recovery", "wait" ... Where a schedule says which rows were in vain (a flag as its state, a column of
/// `lost`, outcomes), its other work is "kept"; all else keeps the schedule's own word, a count with
/// its column's name ("failures: 2"). Empty: none.
[[nodiscard]] std::string state_of(const Timeline& timeline, const TimelineRoles& roles,
                                   std::size_t row);

/// Returns what a row did in its schedule's own word: "work", "recovery" ...; where that is no text, what state_of() says.
[[nodiscard]] std::string word_of(const Timeline& timeline, const TimelineRoles& roles,
                                  std::size_t row);

/// Resources that a row takes; 1 if the schedule does not say.
[[nodiscard]] double width_of(const Timeline& timeline, const TimelineRoles& roles,
                              std::size_t row);

/// Where the rows of a timeline lie in a picture: a lane is a resource, and rows of one lane that overlap in time get
/// tracks of their own. A lane without rows, of which only is known when it could not be used, has no track.
struct LaneLayout {
  /// Lanes from top to bottom: by number, else in order of appearance.
  std::vector<std::string> names;
  std::vector<std::uint32_t> tracks;    ///< per lane: how many
  std::vector<bool> has_absences;       ///< per lane: it could not be used at times
  std::vector<std::uint32_t> lane_of;   ///< per row, then per interval of Timeline::unavailable()
  std::vector<std::uint32_t> track_of;  ///< per row: position inside its lane
};

/// @pre rows in order of start
[[nodiscard]] LaneLayout lay_out(const Timeline& timeline, const TimelineRoles& roles);

}  // namespace holdfast
