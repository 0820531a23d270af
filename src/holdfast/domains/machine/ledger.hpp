#pragma once

#include "holdfast/domains/machine/running.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::machine {

/// The results of one run.
struct Run {
  Tally all;
  std::vector<Tally> groups;     ///< [groups] the counts and sums of each class
  std::vector<JobOutcome> jobs;  ///< the jobs in their order; filled in if the schedule is wanted
  double end = 0;                ///< end of the window, seconds
  std::int64_t events = 0;
  bool completed = true;  ///< false: the run would not have ended
};

/// The records of a run: the account of each job, counts, and rows of the schedule.
class Ledger {
 public:
  /// @param rows  receives the schedule; may be null
  Ledger(const Instance& instance, std::vector<ScheduleRow>* rows);

  /// Begins the measured window.
  void measure() { is_measured_ = true; }
  [[nodiscard]] bool is_measured() const { return is_measured_; }

  /// Adds what a job has done since the last update to its account.
  /// @param remaining  bytes of its transfer that are left
  void account(RunningJob& job, double now, double remaining);
  /// Ends the current row of a job and begins one with another rate.
  void show(RunningJob& job, double now, double next_rate);
  /// Marks the unsaved work and the current transfer as lost.
  void mark_lost(RunningJob& job);

  void count_failure(const RunningJob& job);
  /// @param stall  seconds for which the complete checkpoint stalled the job
  void count_checkpoint(const RunningJob& job, double stall);
  void count_completion(const RunningJob& job, double now);
  /// Records that the job has ended, or that the run ends.
  void close(const RunningJob& job, double now, bool is_completed);

  /// Returns all results. @param idle, broken  node-seconds
  [[nodiscard]] Run finish(double now, double idle, double broken);

 private:
  /// The yield of a job, and the seconds for which it ran: the yield counts only if the job ran for long enough.
  struct Judged {
    std::uint32_t group = 0;
    double ran = 0;
    double yield = 0;
  };

  Tally& tally_of(const RunningJob& job) { return run_.groups[job.job->group]; }

  const Instance& instance_;
  std::vector<ScheduleRow>* rows_;
  bool is_measured_;
  std::vector<Judged> judged_;
  Run run_;
};

}  // namespace holdfast::machine
