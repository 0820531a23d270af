#pragma once

#include "holdfast/algorithms/completions.hpp"
#include "holdfast/algorithms/pending.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// One attempt that was made.
struct Attempt {
  std::uint32_t job = 0;
  std::int64_t number = 1;  ///< number of the attempt among those of its job, from 1
  std::int64_t processors = 1;
  double start = 0;  ///< seconds
  double end = 0;
  int batch = 1;
  bool has_failed = false;
};

/// Everything that is decided before a batch starts: its slots, one for each pending job and number of processors, in order of
/// priority. It depends only on the allotment, so many scenarios share it.
class ListPlan {
 public:
  ListPlan() = default;
  ListPlan(const State& state, const Allotment& allotment, Priority priority,
           std::int64_t attempts);

  struct Slot {
    double time = 0;  ///< time of one attempt, seconds
    std::uint32_t processors = 1;
    std::uint32_t job = 0;
    /// Slot in which the job continues after its attempts in this one.
    std::uint32_t next = kNoSlot;
    std::int64_t attempts = 1;
  };

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  /// Returns the slots' numbers of processors at the start; kNoSlot for slots that a job reaches later.
  [[nodiscard]] std::span<const std::uint32_t> waiting() const { return waiting_; }
  /// Returns the slot of each pending job's first attempt.
  [[nodiscard]] std::span<const std::uint32_t> heads() const { return heads_; }
  /// Returns the common number of processors of all slots, or 0 if they differ.
  [[nodiscard]] std::uint32_t common() const { return common_; }
  /// Returns the largest number of attempts of a job in this batch.
  [[nodiscard]] std::int64_t attempts() const { return attempts_; }
  /// Returns L of the allotment in seconds, as in Theorem 8.
  [[nodiscard]] double bound() const { return bound_; }
  /// Returns the release of each job, or nothing if all are present.
  [[nodiscard]] std::span<const double> releases() const { return releases_; }

 private:
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> heads_;
  std::span<const double> releases_;
  std::uint32_t common_ = 0;
  std::int64_t attempts_ = 1;
  double bound_ = 0;
};

/// The results of a batch.
struct ListResult {
  double end = 0;               ///< seconds
  double area = 0;              ///< A: processor-seconds of all attempts
  double longest = 0;           ///< t_max: the longest total time of one job, seconds
  std::int64_t least_busy = 0;  ///< p_min of Lemma 1
};

/// The outcomes of attempts: the number of failures of each job, which is either fixed beforehand but revealed only attempt by
/// attempt, or follows from what happens during the run: an adversary assigns it, or it depends on the processors of the attempts.
class ErrorRealisation {
 public:
  /// Fixes the outcomes. @param failures  [n] failed attempts
  void fix(std::span<const std::int64_t> failures);
  void deal(std::size_t jobs, const AdaptiveFailures& adaptive);
  /// Lets errors strike. @param jobs  number of jobs
  void strike(std::size_t jobs, Strikes strikes);

  [[nodiscard]] bool is_adaptive() const { return groups_ > 0 || strikes_; }
  /// Returns what strikes the attempts to come, if their outcomes depend on their processors.
  [[nodiscard]] const std::optional<Strikes>& strikes() const { return strikes_; }
  /// Returns the number of attempts that a job still has to make. @pre !is_adaptive()
  [[nodiscard]] std::int64_t left(std::uint32_t job) const { return left_[job]; }
  /// Records that a batch has ended in which the job made that many attempts. @pre !is_adaptive()
  void spend(std::uint32_t job, std::int64_t attempts) { left_[job] -= attempts; }
  /// Returns how long the next attempt of a job lasts. @param time  seconds without errors
  [[nodiscard]] double duration(std::uint32_t job, std::int64_t processors, double time) const {
    return strikes_ ? strikes_->duration(job, processors, time) : time;
  }

  /// Records an attempt; returns true if it succeeds. @param time  seconds without errors
  bool make_attempt(std::uint32_t job, std::int64_t processors, double time);

  /// Returns how many attempts a job is known to need: those made, and one more if the last of them failed.
  [[nodiscard]] std::int64_t known_attempts(std::uint32_t job) const {
    if (is_adaptive() || has_succeeded(job)) return failures_[job] + 1;
    return failures_[job] + 2 - left_[job];
  }
  [[nodiscard]] bool has_succeeded(std::uint32_t job) const { return left_[job] == 0; }
  /// Returns the failures of each job, once all have succeeded.
  [[nodiscard]] const std::vector<std::int64_t>& failures() const { return failures_; }

 private:
  bool deal_next(std::uint32_t job);

  std::optional<Strikes> strikes_;
  std::vector<std::int64_t> left_;      ///< attempts to make; adaptive: 1 until success, then 0
  std::vector<std::int64_t> failures_;  ///< adaptive: failures so far
  std::int64_t groups_ = 0;
  std::vector<std::int64_t> to_succeed_;  ///< adaptive: how many i-th attempts may still succeed
};

/// A runner of batches by LIST, which keeps its memory for the next batch.
class ListRunner {
 public:
  /// @param attempts  receives every attempt with its batch; may be null
  ListResult run(const ListPlan& plan, std::int64_t processors, double start, int batch,
                 ErrorRealisation& errors, std::vector<Attempt>* attempts = nullptr);

 private:
  void hold_back(const ListPlan& plan, double start);

  Completions running_;
  PendingTree tree_;
  PendingBitmap bitmap_;
  std::vector<std::int64_t> todo_;      ///< [slots] attempts left in this slot
  std::vector<std::uint32_t> waiting_;  ///< [slots] if some jobs are released later
  std::vector<std::size_t> open_;       ///< [slots] row of the running attempt
};

}  // namespace holdfast::moldable
