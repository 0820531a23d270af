#pragma once

#include "holdfast/domains/capacity/placement/start_bounds.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstdint>

namespace holdfast::capacity {

/// What the searches need to know of a job that asks for a place, side by side in memory: backlogs of thousands of jobs are
/// gone through at each change of the capacity.
struct PlacementRequest {
  StartBounds::Row bounds;  ///< by machine: the job does not start before
  StartBounds::Place place;
  std::int64_t length;  ///< of its next run, seconds
  double full_length;   ///< of a run from nothing, seconds
  double due;           ///< a run that starts then ends at the job's release, seconds
  double category;      ///< in [0, 1], 0 = longest
  std::int32_t cores;
  std::uint32_t task;

  /// The stretch of the job if it starts then.
  [[nodiscard]] double stretch_at(std::int64_t start) const {
    return (static_cast<double>(start) - due) / full_length;
  }
  /// No later start keeps the stretch within the limit. Where rounding could decide, stretch_at() does.
  [[nodiscard]] std::int64_t latest_start(double limit) const {
    return static_cast<std::int64_t>(due + limit * full_length) + 1;
  }
};
/// A start that is sooner than latest_start() by so many seconds is within the limit, whatever is rounded.
inline constexpr std::int64_t kRounding = 2;

/// From a category to a machine in use: floor(C count), at most the last.
struct Scale {
  double count;
  std::int64_t last;
  std::int64_t unit = 1;  ///< machines between two numbers of the scale
  std::int64_t pack = 1;  ///< the target is the first machine of its pack

  [[nodiscard]] std::int64_t target_of(double category) const {
    const std::int64_t target = unit * std::min(last, static_cast<std::int64_t>(category * count));
    return pack == 1 ? target : target - target % pack;
  }
};

/// Where and when a job is to start.
struct Choice {
  std::int64_t machine = -1;  ///< -1: there is none
  std::int64_t start = kNever;
};
/// The start of a choice that is put off: it is found when something depends on it.
inline constexpr std::int64_t kLater = kNever - 1;

/// Cores of a machine on [start, start + length).
struct Slot {
  std::int64_t machine;
  std::int64_t start;
  std::int64_t length;
  std::int64_t cores;
};

/// The machines that a job may go to: from `low` to `until` - 1, `center` comes first.
struct Vicinity {
  std::int32_t center;
  std::int32_t low;
  std::int32_t until;
};
/// The machines in use within a distance of one of them.
[[nodiscard]] inline Vicinity machines_near(std::int64_t center, std::int64_t distance,
                                            std::int64_t used) {
  return {static_cast<std::int32_t>(center),
          static_cast<std::int32_t>(std::max<std::int64_t>(0, center - distance)),
          static_cast<std::int32_t>(std::min(used, center + distance + 1))};
}

/// Which of two machines with the same earliest start is taken; the center comes before both.
enum class Ties : std::uint8_t { nearest, lowest };

}  // namespace holdfast::capacity
