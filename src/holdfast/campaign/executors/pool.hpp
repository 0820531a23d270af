#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/campaign/workload.hpp"

#include <chrono>
#include <cstdint>
#include <memory>

namespace holdfast {

/// Groups of a workload, [begin, end).
struct GroupRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

/// Threads that run groups. The owner, one thread, gives ranges of groups, takes the cells that
/// finish, and closes the pool when it has no more to give. What every executor consists of.
///
/// Groups start in the order in which they are given. When a cell fails, groups before its own are
/// still run and later ones are not, so that with ranges in ascending order the failure that is
/// kept is that of the first group.
class Pool {
 public:
  using Clock = std::chrono::steady_clock;
  struct Failure {
    std::uint64_t group = 0;
    Error error;
  };

  /// Both must outlive the pool.
  Pool(const Workload& workload, const Control& control);
  /// Abandons what is left and waits for the cells in flight.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// A machine that refuses some threads gives the pool fewer; one that refuses all is an error.
  Status start(unsigned threads);
  /// Adds groups to run. @pre range.begin is not less than the end of the range before
  void give(GroupRange range);
  /// Groups from here on need not run.
  void limit(std::uint64_t group);
  /// No more will be given: threads end when they have run what they have, or at their next cell
  /// where the control says stop.
  void close();
  /// What was given is dropped, cells in flight are finished, and nobody has to take them.
  void abandon();

  /// Moves what waits into `batch` (cleared first). Returns when many cells wait, when the pool has
  /// nothing left to run, or at `until`; at once when it has ended.
  void take(Batch& batch, Clock::time_point until);
  /// Returns true if all threads have ended, after close() or abandon(); what they left can still be taken.
  [[nodiscard]] bool ended() const;
  /// Groups that need no more attention, of those given: run, failed, or beyond a failure. Those of
  /// a thread count together, a moment after the last of them.
  [[nodiscard]] std::uint64_t finished() const;
  /// Returns that of the first group that failed so far; null if none has. Valid until the next failure.
  [[nodiscard]] const Failure* failure() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
