#pragma once

#include "holdfast/domains/capacity/instance.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <cstdint>
#include <span>

namespace holdfast::capacity {

/// What the window asks for and what it offers.
struct WindowLoad {
  std::int64_t jobs = 0;           ///< that run or are released in the window, and fit a machine
  std::int64_t too_wide = 0;       ///< need more cores than a machine has
  std::int64_t most_machines = 0;  ///< alive at some time of the window
  std::int64_t least_machines = 0;
  double work = 0;      ///< core-seconds of the jobs
  double capacity = 0;  ///< core-seconds of the machines alive

  /// Returns what is asked for, over what there is.
  [[nodiscard]] double share() const { return work / capacity; }
};

/// @param tasks  tasks_of(instance)
[[nodiscard]] WindowLoad window_load(const Instance& instance, std::span<const Task> tasks);

/// A window without jobs or machines has no goodput: refused, whoever gave them (no field of a document is to blame).
[[nodiscard]] Status check(const WindowLoad& load, const Instance& instance);

}  // namespace holdfast::capacity
