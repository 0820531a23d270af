#pragma once

#include <algorithm>

namespace holdfast::arbiter {

/// How many frames of one connection are read: so many a second, and so many at once after a pause.
class FrameBucket {
 public:
  static constexpr double kPerSecond = 200;
  static constexpr double kCapacity = 400;
  /// A connection whose frames kept the bucket below half of it for so many seconds is a flood.
  static constexpr double kPatience = 10;

  explicit FrameBucket(double now) : at_(now), calm_at_(now) {}

  /// Takes one frame out, if there is one.
  bool take(double now) {
    fill(now);
    if (frames_ < 1) return false;
    frames_ -= 1;
    if (frames_ >= kCapacity / 2) calm_at_ = now;
    return true;
  }
  /// Returns when reading goes on after take() failed: once a tenth of a second's frames are there.
  [[nodiscard]] double next(double now) const {
    return now + std::max(kPerSecond / 10 - frames_, 1.0) / kPerSecond;
  }
  [[nodiscard]] bool is_flood(double now) const { return now - calm_at_ >= kPatience; }

 private:
  void fill(double now) {
    frames_ = std::min(kCapacity, frames_ + kPerSecond * (now - at_));
    if (frames_ >= kCapacity / 2) calm_at_ = now;
    at_ = now;
  }

  double frames_ = kCapacity;
  double at_;
  double calm_at_;
};

}  // namespace holdfast::arbiter
