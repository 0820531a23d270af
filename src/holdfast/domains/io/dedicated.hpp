#pragma once

#include "holdfast/domains/io/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace holdfast::io {

/// What an application does in the window if it has the file system to itself.
struct Dedicated {
  /// Bytes moved. If the end of the window cuts an operation, only the part before the end counts.
  double volume = 0;
  /// Operations with a positive volume that begin (or are under way) before the end.
  std::int64_t operations = 0;
  /// Number of phases that end before the window does; the very first phase always counts.
  std::int64_t ended_phases = 0;
  double duration = 0;  ///< seconds until it has no phases left, at most the length of the window
};
[[nodiscard]] Dedicated alone(const Application& application, double length);

/// Quantities that follow from all applications together.
struct Load {
  /// Sum of the volumes, divided by what the file system can move in the window (7.11).
  double pressure = 0;
  double period = 0;  ///< delta = L / E in seconds, where E is twice the number of operations (7.5)
  /// L divided by the number of phases that end, as in the authors' simulator.
  double rolling_period = 0;
  std::optional<double> yield_bound = {};    ///< the smallest known bound, if it was asked for
  std::optional<double> optimal_yield = {};  ///< the best minimum yield, if the window is small
};
[[nodiscard]] Load load_of(const Instance& instance);

/// Walks through the phases of an application, and starts again after the last one if they repeat. Phases of length 0 are
/// skipped. The object is small because a simulator has one per application.
class PhaseCursor {
 public:
  explicit PhaseCursor(const Application& application)
      : next_{application.phases.data()}, end_{next_ + application.phases.size()} {}
  /// Returns the next phase with a positive amount, or null at the end.
  /// @param application  the application for which the cursor was made
  const Phase* next(const Application& application) {
    for (int round = 0; round < 2; ++round) {
      while (next_ != end_) {
        const Phase* phase = next_++;
        if (phase->amount > 0) return phase;
      }
      if (!application.repeat) return nullptr;
      next_ = application.phases.data();
    }
    return nullptr;
  }
  /// Returns the address of the next phase for prefetching; do not read it.
  [[nodiscard]] const Phase* place() const { return next_; }

 private:
  const Phase* next_;
  const Phase* end_;
};

}  // namespace holdfast::io
