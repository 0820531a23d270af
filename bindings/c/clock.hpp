#pragma once

#include <cstdint>
#include <ctime>

namespace holdfast::c {

/// A clock that never goes back, in nanoseconds. It is the exact clock or, if reading that one takes too long for a call of the
/// advisor, the coarse one (about 4 ms).
class Clock {
 public:
  /// Measures how long the exact clock takes to read, and chooses one of the two.
  Clock();
  /// Returns the nanoseconds since the constructor.
  [[nodiscard]] std::int64_t nanoseconds() const {
    timespec time{};
    clock_gettime(id_, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec - origin_;
  }

 private:
  clockid_t id_ = CLOCK_MONOTONIC;
  std::int64_t origin_ = 0;
};

}  // namespace holdfast::c
