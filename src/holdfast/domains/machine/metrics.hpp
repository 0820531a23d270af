#pragma once

#include "holdfast/contract/metric_table.hpp"
#include "holdfast/domains/machine/account.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::machine {

/// The metrics of one run, for all jobs or for one class. The table in metrics.cpp describes each of them.
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
  std::optional<double> wait_time;  ///< seconds
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
  Account account;               ///< node-seconds of the window
  std::int64_t failures = 0;     ///< failures that struck a job
  std::int64_t checkpoints = 0;  ///< complete checkpoints
  std::int64_t completed = 0;    ///< completed jobs
  /// Sum of the stalls of complete checkpoints, each divided by the length that it has when its job is alone.
  double stall = 0;
  double dedicated = 0;  ///< node-seconds that completed jobs need alone
  double slowdown = 0;   ///< sum of the slowdowns of completed jobs
  double waiting = 0;    ///< seconds that completed jobs waited for their nodes, summed over jobs
  /// Smallest yield of a job that ran for at least a tenth of the window; nothing if there is none.
  std::optional<double> least_yield;

  /// Adds the counts and sums of other jobs.
  Tally& operator+=(const Tally& other);
};

/// Returns the metrics of a run.
/// @param capacity  node-seconds of the window
[[nodiscard]] Metrics metrics_of(const Tally& tally, double capacity);

/// Returns the table for values_of() and metrics_from().
[[nodiscard]] std::span<const MetricRow<Metrics>> metric_rows();
[[nodiscard]] std::vector<Metric> metrics();

}  // namespace holdfast::machine
