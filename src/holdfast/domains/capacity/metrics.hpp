#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// What one run gave, in whole core-seconds and seconds: the accounting closes exactly.
struct Metrics {
  std::int64_t capacity = 0;  ///< core-seconds of the machines alive in the window
  /// Core-seconds of runs that completed or go on at the end of the window.
  std::int64_t useful = 0;
  std::optional<std::int64_t> useful_bound;  ///< core-seconds; no schedule has more that are useful
  std::int64_t aborted = 0;                  ///< core-seconds of runs that were killed
  std::int64_t aborted_time = 0;  ///< sum over kills of the seconds that the run had lasted
  std::int64_t kills = 0;
  std::optional<std::int64_t> saves;   ///< runs that were saved before their machine went off
  std::optional<std::int64_t> saving;  ///< core-seconds of saving them
  std::int64_t completed = 0;
  std::int64_t waiting = 0;    ///< jobs that wait at the end of the window
  std::int64_t running = 0;    ///< jobs that run then
  std::int64_t dropped = 0;    ///< jobs given up at the window's start (profile `author`)
  double largest_stretch = 0;  ///< largest stretch of completed jobs: (end - release) / length
  double sum_of_stretch = 0;
  std::optional<std::int64_t> makespan;  ///< last completion, where every job has completed
};

[[nodiscard]] std::vector<Metric> metrics();
/// In the order of the table; what does not exist (stretch without a completed job) is absent.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::capacity
