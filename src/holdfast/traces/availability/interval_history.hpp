#pragma once

#include "holdfast/traces/availability/availability.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

/// Makes histories of two states from the intervals in which workers were up, and counts what is
/// odd about these.
class IntervalHistories {
 public:
  using Interval = std::pair<double, double>;  ///< start, end in seconds

  /// Sorts the intervals and joins those that touch or overlap.
  /// @param watched  when something is known of the worker, `up` included; nothing: all the time
  void add(std::string name, std::vector<Interval> up,
           std::optional<std::vector<Interval>> watched = {});
  /// What was watched between `from` and `to` and not up was `unavailable`.
  [[nodiscard]] AvailabilityRecord finish(std::string format, double from, double to,
                                          WorkerState unavailable);

 private:
  struct Host {
    std::string name;
    std::vector<Interval> up;
    std::optional<std::vector<Interval>> watched;
  };

  std::vector<Host> hosts_;
  std::int64_t empty_ = 0, overlaps_ = 0, never_ = 0, unwatched_ = 0;
};

}  // namespace holdfast
