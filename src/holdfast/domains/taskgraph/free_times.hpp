#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::taskgraph {

/// When each processor becomes free for good, given the tasks placed so far. Processors are alike,
/// so only how many are free from when on is kept: runs by increasing time. There are never more
/// runs than tasks that have been placed and not yet overtaken, however many processors there are.
class FreeTimes {
 public:
  struct Run {
    double time = 0;         ///< seconds
    std::int64_t count = 0;  ///< processors that become free then, > 0
  };

  /// All are free from time 0 on. @pre processors >= 1
  explicit FreeTimes(std::int64_t processors) : runs_{{0.0, processors}} {}

  /// By strictly increasing time; the counts add up to the machine.
  [[nodiscard]] std::span<const Run> runs() const { return runs_; }

  /// When that many processors are free at once: the `processors`-th smallest time.
  [[nodiscard]] double when_free(std::int64_t processors) const;

  /// The processors that are free first are busy until `until`. Holes before it are not refilled.
  /// @pre until >= when_free(processors). Cost: O(runs).
  void take(std::int64_t processors, double until);

  /// What is free before `now` is free now: keeps the list short.
  void forget_before(double now);

 private:
  std::vector<Run> runs_;
};

}  // namespace holdfast::taskgraph
