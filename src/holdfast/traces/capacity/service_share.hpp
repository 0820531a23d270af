#pragma once

#include "holdfast/traces/capacity/capacity_series.hpp"

#include <limits>
#include <vector>

/// The share of a machine that is in service, from records of what was out of service.
namespace holdfast {

/// The sum of everything that is out of service at the same time, up to the whole machine.
class ServiceShare {
 public:
  /// @param whole  the size of the machine, > 0: its nodes, or 1
  explicit ServiceShare(double whole) : whole_{whole} {}

  /// Marks this time (seconds) as covered by the record, even if nothing is out of service.
  void cover(double from, double to);
  /// Takes `amount` of the whole out of service from `start` to `end` (seconds), which the record then covers. An infinite end
  /// means until the end of the record. Does nothing if the end is not after the start.
  void out(double start, double end, double amount = 1);
  /// Returns the share in service, from 0 to 1, over the covered time. It is an error if the covered time is empty.
  [[nodiscard]] Result<CapacitySeries> finish() &&;

 private:
  /// A change of the amount that is out of service, from `time` on.
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
