#pragma once

#include <cstdint>

namespace holdfast::capacity {

/// The three target policies.
enum class TargetKind : std::uint8_t { stretch, asap, packed };

/// The differences between the target policies.
struct TargetRules {
  TargetKind kind = TargetKind::asap;
  std::int64_t distance = 10;  ///< D+, machines
  std::int64_t pack = 5;       ///< machines of a pack (kind packed)
  double grow_above = 0.95;    ///< M_use grows while the mean utilisation is above this ...
  double shrink_below = 0.8;   ///< ... and shrinks while it is below
  /// If true, plans that nothing depends on are deferred, which gives the same runs faster.
  bool defers = true;
  /// If true, the policy follows the author's program in its searches, its order of evaluations, and its treatment of jobs that
  /// run when the window opens.
  bool author = false;

  /// Returns true if a job compares all machines near its target, and does not wait for the target itself.
  [[nodiscard]] bool looks_to_horizon() const { return author && kind != TargetKind::stretch; }
  /// Returns the number of machines that a waiting job waits for at the same time. It takes the first of them that is free.
  [[nodiscard]] std::int64_t lane_width() const {
    return kind == TargetKind::packed && !author ? pack : 1;
  }
};

}  // namespace holdfast::capacity
