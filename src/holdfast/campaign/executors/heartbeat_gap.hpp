#pragma once

#include <algorithm>
#include <chrono>

namespace holdfast {

/// The time for which another process has been silent. Time in which this process itself was suspended does not count.
class HeartbeatGap {
 public:
  using Clock = std::chrono::steady_clock;
  /// Every process sends a message at least this often, in seconds.
  static constexpr double kBetweenWords = 10;
  /// A process that has been silent for longer than this is considered lost, in seconds.
  static constexpr double kMost = 60;

  void heard() { seconds_ = 0; }
  /// Returns true if the silence is too long. Call this often.
  [[nodiscard]] bool is_too_long(Clock::time_point now) {
    seconds_ += std::min(1.0, std::chrono::duration<double>(now - last_).count());
    last_ = now;
    return seconds_ > kMost;
  }

 private:
  double seconds_ = 0;
  Clock::time_point last_ = Clock::now();
};

}  // namespace holdfast
