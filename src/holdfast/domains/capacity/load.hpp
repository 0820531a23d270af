#pragma once

#include "holdfast/domains/capacity/instance.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <cstdint>
#include <span>

namespace holdfast::capacity {

/// The work that the window asks for and the capacity that it offers.
struct WindowLoad {
  /// Jobs that run or are released in the window and fit a machine.
  std::int64_t jobs = 0;
  std::int64_t too_wide = 0;           ///< jobs that need more cores than a machine has
  std::int64_t too_wide_for_some = 0;  ///< of `jobs`: those that fit only the larger machines
  std::int64_t most_machines = 0;      ///< largest number of machines alive in the window
  std::int64_t least_machines = 0;
  double work = 0;      ///< core-seconds of the jobs
  double capacity = 0;  ///< core-seconds of the machines alive

  /// Returns the work divided by the capacity.
  [[nodiscard]] double share() const { return work / capacity; }
};

/// Returns the load of the instance's window.
/// @param tasks  tasks_of(instance)
[[nodiscard]] WindowLoad window_load(const Instance& instance, std::span<const Task> tasks);

/// Refuses a window without jobs or machines, because it has no goodput. The error says `window` or `alive` instead of a JSON
/// pointer, because no single field is to blame.
[[nodiscard]] Status check(const WindowLoad& load, const Instance& instance);

}  // namespace holdfast::capacity
