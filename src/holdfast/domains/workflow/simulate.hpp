#pragma once

#include "holdfast/domains/workflow/failure_free.hpp"
#include "holdfast/domains/workflow/failure_realisation.hpp"
#include "holdfast/domains/workflow/metrics.hpp"
#include "holdfast/domains/workflow/replay.hpp"
#include "holdfast/domains/workflow/strategy.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace holdfast::workflow {

/// An instance with everything that its strategies and scenarios share.
struct PreparedInstance {
  explicit PreparedInstance(const Instance& from);
  PreparedInstance(const PreparedInstance&) = delete;
  PreparedInstance& operator=(const PreparedInstance&) = delete;

  const Instance* instance;
  FailureFree schedule;
  std::vector<std::uint32_t> concurrency;  ///< [n]
  Ranked ranked;
  FailureRealisation failures;
  std::shared_ptr<const TabulatedLaw> law;  ///< of the instance; null if it has none
  double bare = 0;                          ///< seconds, the failure-free makespan
  /// The failure-free makespan with one checkpoint after each task, seconds.
  double checkpointed = 0;
  std::optional<double> bound;  ///< seconds, from expected_bound()

  [[nodiscard]] Metrics metrics(double makespan, std::int64_t failed) const;

  [[nodiscard]] Situation situation() const { return {instance, &schedule, concurrency}; }
  [[nodiscard]] Execution execution(std::size_t task, std::int64_t segments) const;
};

/// One task of a run.
struct TaskRun {
  TaskIndex task = 0;
  double start = 0;  ///< seconds
  double end = 0;    ///< seconds
  std::int64_t segments = 1;
  std::int64_t failures = 0;
};

/// A simulator of one strategy's decisions on one instance.
class Simulator {
 public:
  /// @param prepared  must outlive the simulator
  /// @param cuts      [n]
  Simulator(const PreparedInstance& prepared, std::span<const Cut> cuts);

  /// Refuses a task that would fail so often that its run would not end: more than 10^7 expected attempts of a segment.
  [[nodiscard]] Status feasible() const;

  /// Runs one scenario.
  /// @param key    seed, purpose, instance and scenario
  /// @param first  result of FailureRealisation::draw() for the same key
  /// @param tasks  receives all tasks in order of start; may be null
  Metrics run(const StreamKey& key, std::span<const FirstFailure> first,
              std::vector<TaskRun>* tasks = nullptr);
  /// Runs the scenario that the instance fixes. @pre instance.is_fixed()
  Metrics run_fixed(std::vector<TaskRun>* tasks = nullptr);
  /// Returns the same as run(), but draws for every task and goes through every task: the slow reference.
  Metrics run_plainly(const StreamKey& key);

  [[nodiscard]] double failure_free_makespan() const { return replay_.makespan(); }
  [[nodiscard]] std::int64_t segments(std::size_t task) const { return segments_[task]; }

  /// Goes through all tasks with the failures of the last run(), without skipping any.
  double replay_whole() { return replay_.run_whole(changed_); }

 private:
  void change(TaskIndex task, const ExposureOutcome& outcome);
  Metrics finish(std::vector<TaskRun>* tasks);

  const PreparedInstance* prepared_;
  std::vector<std::int64_t> segments_;  ///< [n]
  Replay replay_;
  std::vector<TaskIndex> beyond_;  ///< tasks that are exposed for longer than the draw covers
  // The following describe the current run.
  std::vector<std::pair<std::uint32_t, double>> changed_;         ///< (rank, seconds)
  std::vector<std::pair<std::uint32_t, std::int64_t>> failures_;  ///< (task, number of failures)
  std::int64_t total_failures_ = 0;
};

/// Returns the cuts of a strategy, [n].
[[nodiscard]] std::vector<Cut> decided(const PreparedInstance& prepared, const Strategy& strategy);

}  // namespace holdfast::workflow
