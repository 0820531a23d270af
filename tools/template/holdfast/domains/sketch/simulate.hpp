#pragma once

#include "holdfast/domains/sketch/instance.hpp"
#include "holdfast/domains/sketch/metrics.hpp"
#include "holdfast/domains/sketch/strategy.hpp"

#include <vector>

namespace holdfast::sketch {

/// A segment with its save, up to the failure that struck it. Times are in seconds.
struct ScheduleRow {
  double start = 0;
  double end = 0;
  bool lost = false;
};

/// Runs one job under one strategy. A failure at t loses the segment with start <= t < end of its save; at the very end
/// of the save it does not lose it.
/// @param instance  with the dates of its failures
/// @param rows      receives every segment; may be null
[[nodiscard]] Metrics simulate(const Instance& instance, Strategy& strategy,
                               std::vector<ScheduleRow>* rows = nullptr);

}  // namespace holdfast::sketch
