#pragma once

#include <algorithm>
#include <chrono>

namespace holdfast {

/// How long somebody has been silent, as far as this process was there to hear it: a machine that
/// was suspended blames nobody.
class HeartbeatGap {
 public:
  using Clock = std::chrono::steady_clock;
  /// Everybody says something this often.
  static constexpr double kBetweenWords = 10;
  /// Who does not is gone.
  static constexpr double kMost = 60;

  void heard() { seconds_ = 0; }
  /// Call it often.
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
