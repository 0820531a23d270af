#pragma once

#include "holdfast/algorithms/dag.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/models/resilience/attempt_errors.hpp"
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
  /// [n] or empty: times before which nobody knows of a task, so that it cannot start, seconds >= 0.
  std::vector<double> releases;

  /// Errors. `failures` fixes how many attempts of each task fail, `strikes` when their attempts are struck. If both are empty,
  /// errors are drawn from `error_rate`, in errors per second of work on one processor (of a busy one for models other than `work`).
  std::vector<std::int64_t> failures;        ///< [n] or empty
  std::vector<std::vector<double>> strikes;  ///< [n] or empty
  ErrorModel error_model = ErrorModel::work;
  double error_rate = 0;
  double checkpoint =
      0;  ///< seconds that a save of a running task takes, with fail-stop errors; 0: there are none
  double recovery = 0;  ///< seconds from an error to the work after the last save

  std::vector<GivenTask> given;  ///< [n] or empty
  /// Names of the groups of tasks, such as the rules of a workflow, for the strategy `per-group`.
  std::vector<std::string> groups;  ///< [n] or empty

  [[nodiscard]] std::size_t size() const { return tasks.size(); }
  [[nodiscard]] double release(std::size_t task) const {
    return releases.empty() ? 0 : releases[task];
  }
  /// Returns the id of a task, or its position.
  [[nodiscard]] std::string name(std::size_t task) const;
  /// Returns true if nothing is random.
  [[nodiscard]] bool is_fixed() const {
    return !failures.empty() || !strikes.empty() || error_rate == 0;
  }
  [[nodiscard]] ErrorLaw errors() const { return {error_model, error_rate, checkpoint, recovery}; }
  /// Returns true if the processors of an attempt decide whether it fails.
  [[nodiscard]] bool fails_by_processors() const {
    return !strikes.empty() || errors().counts_area();
  }
};

/// The largest number of processors that list scheduling supports.
inline constexpr std::int64_t kMostProcessors = 4'294'967'294;

/// The largest number of failed attempts of all tasks together, given or expected. The queue of `fifo` has an entry for each,
/// and this many take 1.5 GB.
inline constexpr double kMostFailedAttempts = 1e8;

/// Checks all rules for valid instances. The error is the first violation, with its place.
[[nodiscard]] Status check(const Instance& instance);

/// Returns how many processors each task gets at most. Where errors count by area, more would only make it fail more often
/// (fastest_with_errors()); empty where they do not.
[[nodiscard]] std::vector<std::int64_t> widest_with_errors(const Instance& instance);

/// Returns the seconds that one attempt of each task takes on one processor.
[[nodiscard]] std::vector<double> sequential_times(const Instance& instance);

}  // namespace holdfast::taskgraph
