#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::sketch {

/// One job, and the failures that strike it. Times are in seconds.
struct Instance {
  double work = 0;                           ///< failure-free work
  double save = 0;                           ///< time to save the state after each segment
  double mtbf = 3600;                        ///< mean time between failures
  std::int64_t failures = 10;                ///< how many are drawn; none comes after them
  std::optional<std::vector<double>> dates;  ///< increasing; with these, nothing is drawn
};

/// Checks all rules for valid instances. Errors name the field as a JSON pointer.
[[nodiscard]] Status check(const Instance& instance);

}  // namespace holdfast::sketch
