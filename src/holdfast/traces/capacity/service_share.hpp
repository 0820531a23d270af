#pragma once

#include "holdfast/traces/capacity/capacity_series.hpp"

#include <limits>
#include <vector>

/// What was out of service, as the share of a machine that was left.
namespace holdfast {

/// Adds up what is out of service at the same time, at most the whole.
class ServiceShare {
 public:
  /// @param whole  the size of the machine, > 0: its nodes, or 1
  explicit ServiceShare(double whole) : whole_{whole} {}

  /// Says that the record covers this time (seconds), whatever is out.
  void cover(double from, double to);
  /// Takes `amount` of the whole out of service from `start` to `end` (seconds), which the record then covers. An infinite
  /// end means until the record ends. Does nothing if the end does not come after the start.
  void out(double start, double end, double amount = 1);
  /// Returns the share in service, from 0 to 1, over the time covered. An error if that is no time at all.
  [[nodiscard]] Result<CapacitySeries> finish() &&;

 private:
  /// How much more is out of service from `time` on.
  struct Change {
    double time;
    double amount;
  };

  double whole_;
  std::vector<Change> changes_;
  double from_ = std::numeric_limits<double>::infinity();
  double to_ = -std::numeric_limits<double>::infinity();
};

}  // namespace holdfast
