#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace holdfast::checkpoint {

/// The metrics of one run.
struct Metrics {
  double makespan = 0;  ///< seconds from the start to the end, or to the horizon if the run met it
  /// Interruptions: failures that struck work, a checkpoint or a recovery.
  std::int64_t failures = 0;
  std::int64_t checkpoints = 0;  ///< number of completed checkpoints
  double efficiency = 0;         ///< work saved / makespan
  /// Submissions to a batch system; none without a limit to their time.
  std::optional<std::int64_t> submissions = {};
  // Of a job with spares or repairs:
  std::optional<double> waiting = {};  ///< seconds after the downtimes in which a node was lacking
  std::optional<std::int64_t> shortages = {};      ///< times that a full job lost its last reserve
  std::optional<std::int64_t> node_failures = {};  ///< failures of nodes in use, also in waits
  std::optional<double> idle = {};                 ///< node-seconds of idle nodes
  std::optional<std::int64_t> repairs = {};        ///< repairs that ended
  std::optional<std::int64_t> failed_repairs = {};
  std::optional<std::int64_t> joins = {};      ///< times that a smaller job took nodes back
  std::optional<double> cost = {};             ///< node-hours of all nodes, or their price
  std::optional<double> cost_per_useful = {};  ///< the same per node-hour of useful work
  bool completed = true;  ///< false if the horizon came first or the run was given up
  bool given_up = false;  ///< true if the run would not have ended; it yields no result

  friend bool operator==(const Metrics&, const Metrics&) = default;
};

/// Returns the table of metrics, in the order of outcome().
[[nodiscard]] std::vector<Metric> metrics();
[[nodiscard]] Outcome outcome(const Metrics& metrics);
/// Returns the metrics of an outcome.
[[nodiscard]] Metrics metrics_of(const Outcome& outcome);

}  // namespace holdfast::checkpoint
