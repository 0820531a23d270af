#pragma once

#include <ctime>

namespace holdfast {

/// Returns the time of a clock of the system, in seconds.
[[nodiscard]] inline double time_on(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace holdfast
