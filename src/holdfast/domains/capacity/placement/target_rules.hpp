#pragma once

#include <cstdint>

namespace holdfast::capacity {

enum class TargetKind : std::uint8_t { stretch, asap, packed };

/// What the target policies differ in.
struct TargetRules {
  TargetKind kind = TargetKind::asap;
  std::int64_t distance = 10;  ///< D+, machines
  std::int64_t pack = 5;       ///< machines of a pack (kind packed)
  double grow_above = 0.95;    ///< M_use grows while the mean use is above ...
  double shrink_below = 0.8;   ///< ... and shrinks while it is below
  bool defers = true;          ///< puts off plans that nothing depends on: the same runs, sooner
  /// The readings of the author's program: its searches, its order of evaluations, and its treatment of jobs that run when
  /// the window opens. Specification 3.8.
  bool author = false;
};

}  // namespace holdfast::capacity
