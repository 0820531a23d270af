#pragma once

#include "holdfast/domains/workflow/failure_free.hpp"
#include "holdfast/domains/workflow/finish_queue.hpp"
#include "holdfast/domains/workflow/instance.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace holdfast::workflow {

/// The tasks of an instance in order of start, as the replay goes through them, with their parents as compressed rows of ranks.
/// A rank is a task's position in that order.
struct Ranked {
  Ranked(const Instance& instance, const FailureFree& schedule);

  std::size_t processors;              ///< processors of the machine
  std::vector<TaskIndex> task_of;      ///< [n] task of each rank
  std::vector<std::uint32_t> rank_of;  ///< [n] rank of each task
  std::vector<std::uint32_t> offsets;  ///< [n + 1] offsets into parents
  std::vector<std::uint32_t> parents;  ///< ranks of the parents
  std::vector<std::uint32_t> widths;   ///< [n] by rank; empty if each task has one processor

  [[nodiscard]] std::size_t size() const { return task_of.size(); }
};

/// The failure-aware schedule. Tasks start in the given order, each as soon as its parents have ended, its processors are free
/// and all earlier tasks have started.
///
/// Runs differ from each other in only a few durations. So one run without failures is kept, and a run with failures starts
/// just before the first task whose duration differs.
/// Source: Perotin's thesis, section 6.2.2 and the algorithm of section 6.3, as an exact replay.
class Replay {
 public:
  /// @param durations  [n] by rank, seconds without failures
  /// @param ranked     must outlive the replay
  Replay(const Ranked& ranked, std::vector<double> durations);

  /// Returns the time at which the last task ends without failures, in seconds.
  [[nodiscard]] double makespan() const { return makespans_.empty() ? 0 : makespans_.back(); }

  /// Returns the time at which the last task ends with these durations, in seconds.
  /// @param changed  (rank, seconds), in order of rank
  double run(std::span<const std::pair<std::uint32_t, double>> changed);
  /// Returns the same by going through all tasks, for comparison.
  double run_whole(std::span<const std::pair<std::uint32_t, double>> changed);

  /// Return start and end of a task in the last run, by rank. @pre the last run was run_whole()
  [[nodiscard]] double start(std::size_t rank) const { return starts_[rank]; }
  [[nodiscard]] double end(std::size_t rank) const { return ends_[rank]; }

 private:
  /// Replays from that rank on; earlier tasks are as in the run without failures.
  template <bool kKeepStarts>
  double run_from(std::size_t first);
  template <bool kKeepStarts>
  double run_wide_from(std::size_t first);
  void fill_queue(std::size_t first);
  [[nodiscard]] double ready(std::size_t rank) const {
    double out = 0;
    for (std::uint32_t i = ranked_->offsets[rank]; i < ranked_->offsets[rank + 1]; ++i) {
      const double end = ends_[ranked_->parents[i]];
      out = end > out ? end : out;
    }
    return out;
  }

  const Ranked* ranked_;
  std::vector<double> durations_;  ///< [n] by rank; during a run, the durations of that run
  bool needs_queue_;               ///< more tasks than processors

  // The following describe the run without failures, by rank.
  std::vector<double> plain_starts_;
  std::vector<double> plain_ends_;
  std::vector<double> makespans_;  ///< the latest end up to and including each rank
  /// With a queue: time at which the processor that a task took became free.
  std::vector<double> freed_;

  // The following describe the current run.
  std::vector<double> starts_;
  std::vector<double> ends_;
  std::size_t clean_ = 0;  ///< up to here, ends_ are those of the run without failures
  FinishQueue queue_;
  std::vector<std::pair<double, std::uint32_t>> wide_;  ///< (end, processors): a heap
};

}  // namespace holdfast::workflow
