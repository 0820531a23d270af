#pragma once

#include "holdfast/contract/metric_table.hpp"
#include "holdfast/domains/machine/account.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::machine {

/// The metrics of one run, for all jobs or for one class.
struct Metrics {
  double useful_share = 0;
  double waste = 0;
  double lost_share = 0;
  double checkpoint_share = 0;
  double recovery_share = 0;
  double wait_share = 0;
  double idle_share = 0;
  std::optional<double> minimum_yield;
  double throughput = 0;
  std::optional<double> bounded_slowdown;
  std::optional<double> wait_time;
  std::optional<double> bound;
  std::optional<double> checkpoint_length;
  std::int64_t failures = 0;     ///< failures that struck a job
  std::int64_t checkpoints = 0;  ///< complete checkpoints
  std::int64_t completed = 0;
  std::int64_t events = 0;
  std::optional<double> pressure;
  double makespan = 0;  ///< end of the run, seconds
};

/// Counts and sums from which metrics are made.
struct Tally {
  Account account;  ///< node-seconds of the window
  std::int64_t failures = 0;
  std::int64_t checkpoints = 0;
  std::int64_t completed = 0;
  /// Sum of the stalls of complete checkpoints, each divided by its dedicated length.
  double stall = 0;
  double dedicated = 0;  ///< node-seconds of completed jobs if alone
  double slowdown = 0;   ///< sums over completed jobs
  double waiting = 0;
  std::optional<double> least_yield;

  Tally& operator+=(const Tally& other);
};

/// @param capacity  node-seconds of the window
[[nodiscard]] Metrics metrics_of(const Tally& tally, double capacity);

/// Returns the table for values_of() and metrics_from().
[[nodiscard]] std::span<const MetricRow<Metrics>> metric_rows();
[[nodiscard]] std::vector<Metric> metrics();

}  // namespace holdfast::machine
