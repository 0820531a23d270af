#pragma once

#include "holdfast/traces/availability.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast {

/// Makes histories of two states from the intervals in which workers were up, and counts what is
/// odd about these.
class IntervalHistories {
 public:
  using Interval = std::pair<double, double>;  ///< start, end in seconds

  /// Sorts the intervals and joins those that touch or overlap.
  void add(std::string name, std::vector<Interval> up);
  /// What was not up between `from` and `to` was `unavailable`.
  [[nodiscard]] AvailabilityRecord finish(std::string format, double from, double to,
                                          WorkerState unavailable);

 private:
  struct Host {
    std::string name;
    std::vector<Interval> up;
  };

  std::vector<Host> hosts_;
  std::int64_t empty_ = 0, overlaps_ = 0, never_ = 0;
};

}  // namespace holdfast
