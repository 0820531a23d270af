#pragma once

#include "holdfast/traces/availability/availability.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

/// A builder of histories of two states from the intervals in which workers were up. It counts anything unusual about them.
class IntervalHistories {
 public:
  using Interval = std::pair<double, double>;  ///< start, end in seconds

  /// Adds a worker. Its intervals are sorted, and those that touch or overlap are joined.
  /// @param watched  intervals in which the worker's state is known, including `up`; nothing: it is always known
  void add(std::string name, std::vector<Interval> up,
           std::optional<std::vector<Interval>> watched = {});
  /// Returns the record from `from` to `to` (seconds). A worker whose state is known and that was not up is `unavailable`.
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
