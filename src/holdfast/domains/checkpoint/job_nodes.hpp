#pragma once

#include "holdfast/domains/checkpoint/metrics.hpp"
#include "holdfast/domains/checkpoint/pool_outlook.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace holdfast::checkpoint {

/// The nodes of a job in one run: when they fail, how old they are, and how many there are. Times are seconds from the job's start.
class JobNodes {
 public:
  JobNodes(const Instance& job, Realisation& realisation);

  /// Returns true if failed nodes are repaired, so that the job may lack one.
  [[nodiscard]] bool are_pooled() const { return pool_ != nullptr; }
  /// Returns how many nodes the job has; 0: all.
  [[nodiscard]] std::int64_t count() const;
  /// Returns how fast it works with them: 1 with all.
  [[nodiscard]] double speed() const { return speed_; }

  /// Returns the date of the next failure that has not been met; kNever if there is none. One that comes after `until` may
  /// count as none.
  double next_failure(double until);
  /// Returns the failure of next_failure(), and its number in the trace.
  [[nodiscard]] const Failure& failure() { return trace_.failures()[next_]; }
  [[nodiscard]] std::size_t number() const { return next_; }
  [[nodiscard]] double origin() const { return origin_; }
  /// The next failure has happened.
  void meet();

  /// Returns when the job can begin to recover, from a date on. Failures before change `next` of the result interrupt nothing.
  PoolReady ready_after(double from) { return holdfast::ready_after(*pool_, change_, from); }
  /// Returns true if the next failure comes before a change of the pool.
  bool fails_before(std::size_t change);
  /// The job works again: everything before that change has happened.
  void work(std::size_t change);
  /// Lets a job that works on fewer nodes take idle ones. @returns true if it got one
  bool join(double now);

  /// Return the outlook at a date, as it is believed and as it is. @param lead  seconds by which nodes count as older
  checkpoints::Outlook& believed(double now, double lead);
  checkpoints::Outlook& truth(double now);
  [[nodiscard]] Future future() { return {trace_, origin_, next_}; }
  [[nodiscard]] Ages ages() const { return trace_.ages_at(next_, origin_); }

  /// Writes what happened to the nodes until the end of a run. @param useful  seconds of work that are saved
  void account(double end, double useful, Metrics& metrics);

 private:
  void resize();

  const Instance& job_;
  FailureTrace& trace_;
  NodePool* pool_;          ///< null: a new node is always there
  std::size_t change_ = 1;  ///< the first change of the pool that has not happened
  std::optional<PoolOutlook> pool_believed_, pool_truth_;
  checkpoints::TraceOutlook believed_, truth_;
  const double origin_;  ///< the job's start on the trace's clock
  std::size_t next_;     ///< next failure of the trace
  double speed_ = 1;
};

}  // namespace holdfast::checkpoint
