#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/campaign/workload.hpp"

#include <chrono>
#include <cstdint>
#include <memory>

namespace holdfast {

/// Groups of a workload: begin to end - 1.
struct GroupRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

/// A pool of threads that run groups; every executor uses one. Its owner, a single thread, hands out ranges of groups, takes
/// the finished cells, and closes the pool when there is nothing left to hand out.
///
/// Groups start in the order in which they are given. When a cell fails, earlier groups are still run and later ones are not.
/// So if ranges are given in ascending order, the failure that is kept is that of the first failing group.
class Pool {
 public:
  using Clock = std::chrono::steady_clock;
  struct Failure {
    std::uint64_t group = 0;
    Error error;
  };

  /// Makes a pool. Both arguments must outlive it.
  Pool(const Workload& workload, const Control& control);
  /// Drops the remaining groups and waits for the running cells.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Starts the threads. If the machine refuses some of them, the pool has fewer; if it refuses all, that is an error.
  Status start(unsigned threads);
  /// Adds groups to run. @pre range.begin is not less than the end of the last range
  void give(GroupRange range);
  /// Makes groups from this one on unnecessary.
  void limit(std::uint64_t group);
  /// Announces that no more groups will be given. Threads end when they have run their groups, or after the current cell if the
  /// control asks to stop.
  void close();
  /// Drops all groups that have not started. Running cells are finished, but nobody needs to take them.
  void abandon();

  /// Moves finished cells into `batch` (which is cleared first). Returns when many cells wait, when the pool has nothing left
  /// to run, or at `until`; at once if the pool has ended.
  void take(Batch& batch, Clock::time_point until);
  /// Returns true if all threads have ended after close() or abandon(). The remaining cells can still be taken.
  [[nodiscard]] bool ended() const;
  /// Returns how many of the given groups are settled: run, failed, or beyond a failure. The groups of a thread are counted
  /// together, shortly after its last one.
  [[nodiscard]] std::uint64_t finished() const;
  /// Returns the failure of the first group that failed so far; null if none has. Valid until the next failure.
  [[nodiscard]] const Failure* failure() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
