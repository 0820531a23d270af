#pragma once

#include "holdfast/domains/io/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace holdfast::io {

/// What an application does in the window when it has the file system for itself.
struct Dedicated {
  double volume = 0;  ///< bytes moved; of an operation that the window's end cuts, its part
  std::int64_t operations = 0;  ///< with a positive volume, begun (or under way) before the end
  /// Number of phases that end before the window does; the first of all always counts.
  std::int64_t ended_phases = 0;
  double duration = 0;  ///< seconds until it runs out of phases, at most the window's length
};
[[nodiscard]] Dedicated alone(const Application& application, double length);

/// What follows from all of them.
struct Load {
  /// Sum of the volumes over what the file system can move in the window (7.11).
  double pressure = 0;
  double period = 0;  ///< delta = L / E, E twice the number of operations (7.5)
  /// L over the number of phases that end, as the authors' simulator counts.
  double rolling_period = 0;
  std::optional<double> yield_bound = {};    ///< the least that is known, where it is asked for
  std::optional<double> optimal_yield = {};  ///< where the window is small enough
};
[[nodiscard]] Load load_of(const Instance& instance);

/// Walks through the phases of an application, in circles where they repeat. Phases without an amount are passed over.
/// It holds no more than it reads at each step: a simulator has one per application.
class PhaseCursor {
 public:
  explicit PhaseCursor(const Application& application)
      : next_{application.phases.data()}, end_{next_ + application.phases.size()} {}
  /// The next phase with a positive amount, or null at the end.
  /// @param application  the one it was made for
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
  /// Returns where the next phase lies, to have it fetched ahead of time; not to be read.
  [[nodiscard]] const Phase* place() const { return next_; }

 private:
  const Phase* next_;
  const Phase* end_;
};

}  // namespace holdfast::io
