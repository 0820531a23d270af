#pragma once

#include "holdfast/algorithms/dag.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast::taskgraph {

/// One task of a schedule that a document gives, for the strategy `as-given`.
struct GivenTask {
  /// Processors of the 1st, 2nd ... attempt, each >= 1. The last number holds for all later attempts.
  std::vector<std::int64_t> allocations;
  /// The task does not start before this time (seconds >= 0), even if its parents have completed and processors are idle. The
  /// schedules of proofs need this, because they leave processors idle on purpose.
  double start = 0;
};

/// An instance: moldable tasks with dependencies, and a machine of identical processors.
struct Instance {
  std::int64_t processors = 1;  ///< processors of the machine, from 1 to kMostProcessors
  Dag graph;
  std::vector<Speedup> tasks;    ///< [n] duration on p processors, seconds
  std::vector<std::string> ids;  ///< [n], or empty: tasks are called by their positions

  /// Silent errors. `failures` fixes how many attempts of each task fail. If it is empty, failures are drawn from `error_rate`,
  /// in errors per second of work on one processor.
  std::vector<std::int64_t> failures;  ///< [n] or empty
  double error_rate = 0;

  std::vector<GivenTask> given;  ///< [n] or empty
  /// Names of the groups of tasks, such as the rules of a workflow, for the strategy `per-group`.
  std::vector<std::string> groups;  ///< [n] or empty

  [[nodiscard]] std::size_t size() const { return tasks.size(); }
  /// Returns the id of a task, or its position.
  [[nodiscard]] std::string name(std::size_t task) const;
  /// Returns true if nothing is random.
  [[nodiscard]] bool is_fixed() const { return !failures.empty() || error_rate == 0; }
};

/// The largest number of processors that list scheduling supports.
inline constexpr std::int64_t kMostProcessors = 4'294'967'294;

/// The largest number of failed attempts of all tasks together, given or expected. The queue of `fifo` has an entry for each,
/// and this many take 1.5 GB.
inline constexpr double kMostFailedAttempts = 1e8;

/// Checks all rules for valid instances. The error is the first violation, with its place.
[[nodiscard]] Status check(const Instance& instance);

/// Returns the seconds that one attempt of each task takes on one processor.
[[nodiscard]] std::vector<double> sequential_times(const Instance& instance);

}  // namespace holdfast::taskgraph
