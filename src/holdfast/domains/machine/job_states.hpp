#pragma once

#include "holdfast/domains/machine/ledger.hpp"
#include "holdfast/domains/machine/planner.hpp"
#include "holdfast/domains/machine/slots.hpp"
#include "holdfast/domains/machine/strategy.hpp"
#include "holdfast/domains/machine/transfers.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::machine {

/// The states of jobs on their nodes: they read their input, work, ask for a checkpoint, write it, are down after a failure,
/// read again, and end. Each function acts at the date that the caller gives.
class JobStates {
 public:
  /// @param shows  true: the schedule is wanted. All other arguments must outlive this object.
  JobStates(const Instance& instance, Strategy& strategy, Slots& slots, Transfers& transfers,
            Ledger& book, Planner& planner, bool shows);

  /// Starts a job on its nodes.
  void start(std::uint32_t slot, double now);
  /// Begins the downtime of a job after a failure. If the downtime is 0, the job reads its state again at once.
  void go_down(std::uint32_t slot, double now);
  /// Ends the downtime of a job.
  void recover(std::uint32_t slot, double now);
  /// Handles work that reached the date of a checkpoint request, or its end.
  void end_work(std::uint32_t slot, double now);
  /// Handles a completed transfer.
  void end_transfer(std::uint32_t slot, double now);
  /// Ends the current activity of a job, and marks its unsaved work as lost.
  void lose(std::uint32_t slot, double now);

  /// Takes one decision on bandwidth. An operation that gets bandwidth for the first time begins its transfer.
  void decide(double now);

  /// Adds what all jobs have done to their accounts.
  void account_all(double now);
  /// Ends the run. Work that is neither saved nor lost counts as open.
  void close_all(double now);

 private:
  void work(std::uint32_t slot, double now);
  void post(std::uint32_t slot, Doing doing, double volume, double now);
  void post_request(std::uint32_t slot, double volume, bool is_stalled, double now);
  void save(RunningJob& job, double now);
  void begin(std::uint32_t slot, Doing doing, double now);
  void tell_history(double now);
  void change_rate(std::size_t place, double rate, double now);
  [[nodiscard]] double remaining_of(std::uint32_t slot);

  const Instance& instance_;
  Strategy& strategy_;
  Slots& slots_;
  Transfers& transfers_;
  Ledger& book_;
  Planner& planner_;
  bool shows_;
  bool learns_sets_;
  bool uses_history_;
  bool uses_targets_;
};

}  // namespace holdfast::machine
