#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::taskgraph {

/// The times at which processors become free for good, given the tasks placed so far. Because processors are alike, only their
/// number is kept for each time: runs by increasing time. There are never more runs than tasks that have been placed and not
/// yet overtaken, however many processors there are.
class FreeTimes {
 public:
  struct Run {
    double time = 0;         ///< seconds
    std::int64_t count = 0;  ///< processors that become free then, > 0
  };

  /// Makes all processors free from time 0 on. @pre processors >= 1
  explicit FreeTimes(std::int64_t processors) : runs_{{0.0, processors}} {}

  /// Returns the runs by strictly increasing time. Their counts add up to the machine.
  [[nodiscard]] std::span<const Run> runs() const { return runs_; }

  /// Returns the time from which that many processors are free at once: the `processors`-th smallest time.
  [[nodiscard]] double when_free(std::int64_t processors) const;

  /// Makes the processors that are free first busy until `until`. Gaps before it are not filled.
  /// @pre until >= when_free(processors). Cost: O(runs).
  void take(std::int64_t processors, double until);

  /// Treats everything that became free before `now` as free from `now`, which keeps the list short.
  void forget_before(double now);

 private:
  std::vector<Run> runs_;
};

}  // namespace holdfast::taskgraph
