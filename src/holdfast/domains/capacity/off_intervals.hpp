#pragma once

#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// An interval from `start` to `end` in which a machine is off.
struct OffInterval {
  std::int64_t machine = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;

  friend bool operator==(const OffInterval&, const OffInterval&) = default;
};

/// Returns the intervals in the window in which machines are off, machine after machine, each in order of time.
/// @param rank_of  machine -> risk rank (the machine is on while its rank is below the number alive)
[[nodiscard]] std::vector<OffInterval> off_intervals(const Instance& instance,
                                                     std::span<const std::int64_t> rank_of);

}  // namespace holdfast::capacity
