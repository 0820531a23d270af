#pragma once

#include "holdfast/domains/io/instance.hpp"

#include <cstddef>
#include <cstdint>

namespace holdfast::io {

/// What an application does in the window when it has the file system for itself.
struct Dedicated {
  double volume = 0;  ///< bytes moved; of an operation that the window's end cuts, its part
  std::int64_t operations = 0;  ///< with a positive volume, begun (or under way) before the end
  std::int64_t ended_phases =
      0;                ///< that end before the window does; the first of all counts always
  double duration = 0;  ///< seconds until it runs out of phases, at most the window's length
};
[[nodiscard]] Dedicated alone(const Application& application, double length);

/// What follows from all of them.
struct Load {
  double pressure =
      0;  ///< sum of the volumes over what the file system can move in the window (7.11)
  double period = 0;  ///< delta = L / E, E twice the number of operations (7.5)
  double rolling_period =
      0;  ///< L over the number of phases that end, as the authors' simulator counts
};
[[nodiscard]] Load load_of(const Instance& instance);

/// Walks through the phases of an application, in circles where they repeat. Phases without an amount are passed over.
class PhaseCursor {
 public:
  explicit PhaseCursor(const Application& application)
      : first_{application.phases.data()},
        count_{application.phases.size()},
        repeats_{application.repeat} {}
  /// The next phase with a positive amount, or null at the end.
  const Phase* next() {
    for (std::size_t passed = 0; passed <= count_; ++passed) {
      if (position_ == count_) {
        if (!repeats_ || count_ == 0) return nullptr;
        position_ = 0;
      }
      const Phase* phase = first_ + position_++;
      if (phase->amount > 0) return phase;
    }
    return nullptr;
  }

 private:
  const Phase* first_;
  std::size_t count_;
  std::size_t position_ = 0;
  bool repeats_;
};

}  // namespace holdfast::io
