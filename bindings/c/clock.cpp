#include <clock.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace holdfast::c {
namespace {

constexpr int kTries = 8;
constexpr int kReadings = 32;
/// The longest time of one reading with which the exact clock is used, in nanoseconds.
constexpr std::int64_t kSlow = 80;

}  // namespace

Clock::Clock() {
  // The fastest of several tries counts, because the others may have been interrupted.
  std::int64_t fastest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < kTries; ++i) {
    const std::int64_t begin = nanoseconds();
    std::int64_t end = begin;
    for (int j = 0; j < kReadings; ++j) end = nanoseconds();
    fastest = std::min(fastest, (end - begin) / kReadings);
  }
  if (fastest > kSlow) id_ = CLOCK_MONOTONIC_COARSE;
  origin_ = nanoseconds();
}

}  // namespace holdfast::c
