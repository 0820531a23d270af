#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// What the machine-hours of a schedule cost, in money or in grams.
struct Bill {
  double busy = 0;   ///< while a job runs on the machine
  double idle = 0;   ///< otherwise, booting and shutting down included
  double least = 0;  ///< no schedule with the same useful work has cheaper busy ones
};

/// The results of one run, in whole core-seconds and seconds. The accounts balance exactly.
struct Metrics {
  std::int64_t capacity = 0;  ///< core-seconds of the machines alive in the window
  /// Core-seconds of runs that completed, or that are still running at the end of the window.
  std::int64_t useful = 0;
  std::optional<std::int64_t> useful_bound;  ///< core-seconds; no schedule has more useful ones
  std::int64_t aborted = 0;                  ///< core-seconds of runs that were killed
  std::int64_t aborted_time = 0;  ///< sum over kills of the seconds that the killed run had lasted
  std::int64_t kills = 0;
  std::optional<std::int64_t> saves;   ///< runs that were saved before their machine went off
  std::optional<std::int64_t> saving;  ///< core-seconds spent on saving them
  std::int64_t completed = 0;
  std::int64_t waiting = 0;    ///< jobs that are waiting at the end of the window
  std::int64_t running = 0;    ///< jobs that are running at the end of the window
  std::int64_t dropped = 0;    ///< jobs given up at the window's start (profile `author`)
  double largest_stretch = 0;  ///< largest stretch of completed jobs: (end - release) / length
  double sum_of_stretch = 0;
  std::optional<std::int64_t> makespan;  ///< last completion, if every job has completed
  std::optional<Bill> money;             ///< if the price is known
  std::optional<Bill> grams;             ///< if the carbon intensity is known
};

/// Returns the table of the metrics.
[[nodiscard]] std::vector<Metric> metrics();
/// Returns the position of the metric that strategies are compared by.
[[nodiscard]] std::size_t position_of(Objective objective);
/// Returns the values in the order of the table. A value that does not exist (stretch without a completed job) is absent.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::capacity
