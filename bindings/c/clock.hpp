#pragma once

#include <cstdint>
#include <ctime>

namespace holdfast::c {

/// Nanoseconds that never go back. The exact clock, or, where that one takes longer to read than a question may, the coarse one
/// (4 ms or so).
class Clock {
 public:
  Clock();
  [[nodiscard]] std::int64_t nanoseconds() const {
    timespec time{};
    clock_gettime(id_, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec - origin_;
  }
  [[nodiscard]] bool is_coarse() const { return id_ != CLOCK_MONOTONIC; }

 private:
  clockid_t id_ = CLOCK_MONOTONIC;
  std::int64_t origin_ = 0;
};

}  // namespace holdfast::c
