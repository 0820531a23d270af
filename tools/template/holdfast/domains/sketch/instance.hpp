#pragma once

#include "holdfast/base/error.hpp"

#include <optional>
#include <vector>

namespace holdfast::sketch {

/// One job. Times are in seconds.
struct Instance {
  double work = 0;  ///< failure-free work
  double save = 0;  ///< time to save the state after each segment
  double mtbf = 0;  ///< mean time between failures; 0 where `failures` says it all
  std::optional<std::vector<double>> failures;  ///< dates, increasing: fixes the scenario
};

/// Every rule about what is a valid problem. Errors name the field as a JSON pointer.
[[nodiscard]] Status check(const Instance& instance);

}  // namespace holdfast::sketch
