#pragma once

#include "holdfast/domains/machine/running.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::machine {

/// The results of one run.
struct Run {
  Tally all;
  std::vector<Tally> groups;     ///< [groups] by class
  std::vector<JobOutcome> jobs;  ///< in their order; filled where somebody wants the schedule
  double end = 0;                ///< end of the window
  std::int64_t events = 0;
  bool completed = true;  ///< false: it would not have ended
};

/// What is written down while a run goes on: the account of each job, counts, rows of the schedule.
class Book {
 public:
  /// @param rows  gets the schedule; may be null
  Book(const Instance& instance, std::vector<ScheduleRow>* rows);

  /// The window has begun: what comes is measured.
  void measure() { is_measured_ = true; }
  [[nodiscard]] bool is_measured() const { return is_measured_; }

  /// Puts what a job has done since it was last accounted for into its account.
  /// @param remaining  bytes of its transfer that are left
  void account(RunningJob& job, double now, double remaining);
  /// Ends the row of a job that is under way, and begins one at another rate.
  void show(RunningJob& job, double now, double next_rate);
  /// What was not saved, and the transfer under way, were in vain.
  void mark_lost(RunningJob& job);

  void count_failure(const RunningJob& job);
  /// @param stall  seconds that a whole checkpoint was
  void count_checkpoint(const RunningJob& job, double stall);
  void count_completion(const RunningJob& job, double now);
  /// The job is gone for good, or the run ends.
  void close(const RunningJob& job, double now, bool is_completed);

  /// Returns everything. @param idle, broken  node-seconds
  [[nodiscard]] Run finish(double now, double idle, double broken);

 private:
  /// A yield that counts where its job ran for long enough.
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
