#pragma once

#include "holdfast/domains/capacity/placement/start_bounds.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstdint>

namespace holdfast::capacity {

/// The data of a job that a search needs. The members are adjacent in memory, because each change of the capacity goes through
/// backlogs of thousands of jobs.
struct PlacementRequest {
  StartBounds::Row bounds;   ///< by machine: a time before which the job does not start
  StartBounds::Place place;  ///< its classes of cores and length
  std::int32_t cores;
  std::int64_t length;  ///< length of its next run, seconds
  double full_length;   ///< seconds of a run from the beginning
  double due;           ///< release of the job minus the length of its next run, seconds
  double category;      ///< in [0, 1], 0 = longest
  std::uint32_t task;   ///< index of the task in ClusterState

  /// Returns the stretch of the job if its next run begins at `start` and is not killed.
  [[nodiscard]] double stretch_at(std::int64_t start) const {
    return (static_cast<double>(start) - due) / full_length;
  }
  /// Returns the latest start that keeps the stretch within the limit. If rounding could matter, stretch_at() decides.
  [[nodiscard]] std::int64_t latest_start(double limit) const {
    return static_cast<std::int64_t>(due + limit * full_length) + 1;
  }
};
/// A start that is earlier than latest_start() by this many seconds is within the limit in spite of rounding.
inline constexpr std::int64_t kRounding = 2;

/// The map from a category C to a machine in use: floor(C count), but at most the last machine.
struct Scale {
  double count;
  std::int64_t last;
  std::int64_t unit = 1;  ///< machines per unit of the scale
  std::int64_t pack = 1;  ///< machines of a pack; the target is the first machine of its pack
  const std::int64_t* machines = nullptr;  ///< the machines that are large enough; null: all

  /// Returns the target machine of a job of this category.
  [[nodiscard]] std::int64_t target_of(double category) const {
    std::int64_t target = unit * std::min(last, static_cast<std::int64_t>(category * count));
    if (machines != nullptr) target = machines[target];
    return pack == 1 ? target : target - target % pack;
  }
};

/// The machine and the time at which a job will start.
struct Choice {
  std::int64_t machine = -1;  ///< number of the machine; -1 if there is none
  std::int64_t start = kNever;
};
/// The start of a deferred choice. It is computed when something depends on it.
inline constexpr std::int64_t kLater = kNever - 1;

/// The cores of one machine on [start, start + length).
struct Slot {
  std::int64_t machine;
  std::int64_t start;
  std::int64_t length;
  std::int64_t cores;
};

/// The machines that a job may go to: `low` to `until` - 1, with `center` first.
struct MachineRange {
  std::int32_t center;
  std::int32_t low;
  std::int32_t until;
};
/// Returns the machines in use within a distance of a machine.
[[nodiscard]] inline MachineRange machines_near(std::int64_t center, std::int64_t distance,
                                                std::int64_t used) {
  return {static_cast<std::int32_t>(center),
          static_cast<std::int32_t>(std::max<std::int64_t>(0, center - distance)),
          static_cast<std::int32_t>(std::min(used, center + distance + 1))};
}

/// The rule for two machines with the same earliest start. The center comes before both.
enum class Ties : std::uint8_t { nearest, lowest };

}  // namespace holdfast::capacity
