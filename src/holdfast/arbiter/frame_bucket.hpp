#pragma once

#include <algorithm>

namespace holdfast::arbiter {

/// A limit for the frames that are read from one connection: a rate per second, and a number that may arrive at once after a
/// pause.
class FrameBucket {
 public:
  static constexpr double kPerSecond = 200;
  static constexpr double kCapacity = 400;
  /// The seconds for which frames must keep the bucket less than half full before the connection counts as a flood.
  static constexpr double kPatience = 10;

  explicit FrameBucket(double now) : at_(now), calm_at_(now) {}

  /// Takes one frame out of the bucket. @returns false if there is none
  bool take(double now) {
    fill(now);
    if (frames_ < 1) return false;
    frames_ -= 1;
    if (frames_ >= kCapacity / 2) calm_at_ = now;
    return true;
  }
  /// Returns when reading continues after take() failed: when the bucket has the frames of a tenth of a second.
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
