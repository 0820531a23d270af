#pragma once

#include "holdfast/domains/machine/book.hpp"
#include "holdfast/domains/machine/planner.hpp"
#include "holdfast/domains/machine/slots.hpp"
#include "holdfast/domains/machine/strategy.hpp"
#include "holdfast/domains/machine/transfers.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::machine {

/// What jobs do on their nodes, one state after another: they read their input, work, ask for a checkpoint, write it, are
/// down after a failure, read again, and end. All of it at the date that the caller gives.
class JobStates {
 public:
  /// @param shows  somebody wants the schedule. All else must outlive it.
  JobStates(const Instance& instance, Strategy& strategy, Slots& slots, Transfers& transfers,
            Book& book, Planner& planner, bool shows);

  /// A job begins on its nodes.
  void start(std::uint32_t slot, double now);
  /// A job that failed is down; where it is down for no time, it reads again.
  void go_down(std::uint32_t slot, double now);
  /// Its downtime is over.
  void recover(std::uint32_t slot, double now);
  /// Its work reached the date at which it asks for a checkpoint, or its end.
  void end_work(std::uint32_t slot, double now);
  /// Its transfer is complete.
  void end_transfer(std::uint32_t slot, double now);
  /// What it does ends here, and what was not saved is lost.
  void lose(std::uint32_t slot, double now);

  /// One decision on bandwidth. Who gets some for the first time begins its transfer.
  void decide(double now);

  /// Puts what all jobs have done into the account.
  void account_all(double now);
  /// The run ends: what is neither saved nor lost is open.
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
  Book& book_;
  Planner& planner_;
  bool shows_;
  bool learns_sets_;
  bool uses_history_;
  bool uses_targets_;
};

}  // namespace holdfast::machine
