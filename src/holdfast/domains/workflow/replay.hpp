#pragma once

#include "holdfast/domains/workflow/failure_free.hpp"
#include "holdfast/domains/workflow/finish_queue.hpp"
#include "holdfast/domains/workflow/instance.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace holdfast::workflow {

/// The tasks of an instance in the order of their start, as the replay walks through them: who waits
/// for whom as compressed rows of ranks. A rank is a task's position in the order.
struct Ranked {
  Ranked(const Instance& instance, const FailureFree& schedule);

  std::size_t processors;              ///< processors of the machine
  std::vector<TaskIndex> task_of;      ///< [n] by rank
  std::vector<std::uint32_t> rank_of;  ///< [n] by task
  std::vector<std::uint32_t> offsets;  ///< [n + 1] into parents
  std::vector<std::uint32_t> parents;  ///< ranks
  std::vector<std::uint32_t> widths;   ///< [n] by rank, or empty: one processor each

  [[nodiscard]] std::size_t size() const { return task_of.size(); }
};

/// The failure-aware schedule: tasks start in the given order, each as soon as those it waits for
/// have ended, its processors are free and all before it have started.
///
/// Runs differ from each other in few durations. So one run without failures is kept, and a run with
/// failures starts just before the first task whose duration differs.
/// Source: Perotin's thesis, section 6.2.2 (Algorithm of section 6.3), as exact replay.
class Replay {
 public:
  /// @param durations  [n] by rank, seconds without failures
  /// @param ranked     must outlive the replay
  Replay(const Ranked& ranked, std::vector<double> durations);

  /// Returns the date at which the last task ends without failures, in seconds.
  [[nodiscard]] double makespan() const { return makespans_.empty() ? 0 : makespans_.back(); }

  /// Returns the date at which the last task ends with these durations, in seconds.
  /// @param changed  (rank, seconds), by rank
  double run(std::span<const std::pair<std::uint32_t, double>> changed);
  /// The same without the shortcut: all tasks are walked through. For comparison.
  double run_whole(std::span<const std::pair<std::uint32_t, double>> changed);

  /// Start and end of a task in the last run, by rank. @pre the last run was run_whole()
  [[nodiscard]] double start(std::size_t rank) const { return starts_[rank]; }
  [[nodiscard]] double end(std::size_t rank) const { return ends_[rank]; }

 private:
  /// Replays from that rank on; what comes before is as without failures.
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
  std::vector<double> durations_;  ///< [n] by rank; those of a run while it goes on
  bool needs_queue_;               ///< more tasks than processors

  // The run without failures, by rank.
  std::vector<double> plain_starts_;
  std::vector<double> plain_ends_;
  std::vector<double> makespans_;  ///< the latest end up to and including each rank
  std::vector<double> freed_;      ///< when the processor was free that a task took; with a queue

  // The run at hand.
  std::vector<double> starts_;
  std::vector<double> ends_;
  std::size_t clean_ = 0;  ///< ends_ are those of the run without failures up to there
  FinishQueue queue_;
  std::vector<std::pair<double, std::uint32_t>> wide_;  ///< (end, processors): a heap
};

}  // namespace holdfast::workflow
