#pragma once

#include "holdfast/traces/capacity/capacity_series.hpp"

#include <limits>
#include <vector>

/// Records of what was out of service, as the share of a machine that was left.
namespace holdfast {

/// Adds up what is out at one time. More than the whole is never out.
class ServiceShare {
 public:
  /// @param whole  what the machine has in all, > 0: nodes, or 1
  explicit ServiceShare(double whole) : whole_{whole} {}

  /// The record covers this time, whatever is out. Seconds.
  void cover(double from, double to);
  /// `amount` of the whole is out from `start` to `end`, and the record covers that; infinity: until the record ends.
  /// Nothing where the end does not come after the start.
  void out(double start, double end, double amount = 1);
  /// From 0 to 1 over the time covered. An error where that is no time at all.
  [[nodiscard]] Result<CapacitySeries> finish() &&;

 private:
  /// From `time` on so much more is out.
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
