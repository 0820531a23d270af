#pragma once

#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace holdfast::capacity {

/// The time of an event that never happens; later than all others.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// A job as the simulation sees it. Only jobs of the window become tasks, in the order of (release, position in the instance),
/// by which every rule ranks them.
struct Task {
  std::size_t job = 0;       ///< position in the instance
  std::int64_t release = 0;  ///< release in the instance, seconds
  /// The release, or the start of the window for a job that was running then; seconds.
  std::int64_t arrival = 0;
  std::int64_t cores = 1;
  std::int64_t length = 1;  ///< full length, seconds
  /// Length of its first run in the window, seconds; less than `length` for a carried-in job.
  std::int64_t first_length = 1;
  double category = 0;

  [[nodiscard]] bool is_carried_in() const { return first_length < length; }
};

/// Returns the tasks of the window. Jobs released before the window that are over by its start are dropped; those still running
/// are carried in. Jobs released after its end and jobs too wide for a machine are left out.
[[nodiscard]] std::vector<Task> tasks_of(const Instance& instance);

}  // namespace holdfast::capacity
