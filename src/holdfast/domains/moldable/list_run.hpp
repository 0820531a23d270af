#pragma once

#include "holdfast/algorithms/completions.hpp"
#include "holdfast/algorithms/pending.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// One attempt that was made.
struct Attempt {
  std::uint32_t job = 0;
  std::int64_t number = 1;  ///< number of the job, from 1
  std::int64_t processors = 1;
  double start = 0;  ///< seconds
  double end = 0;
  int batch = 1;
  bool has_failed = false;
};

/// What is decided before a batch starts: its slots, one for each pending job and number of
/// processors, in order of priority. Depends on the allotment alone, so that many scenarios share
/// it.
class ListPlan {
 public:
  ListPlan() = default;
  ListPlan(const State& state, const Allotment& allotment, Priority priority,
           std::int64_t attempts);

  struct Slot {
    double time = 0;  ///< time of one attempt, seconds
    std::uint32_t processors = 1;
    std::uint32_t job = 0;
    std::uint32_t next = kNoSlot;  ///< where the job goes on when its attempts here are used
    std::int64_t attempts = 1;
  };

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  /// Returns what each slot waits for at the start; kNoSlot for those to which a job comes later.
  [[nodiscard]] std::span<const std::uint32_t> waiting() const { return waiting_; }
  /// Returns the slot of each pending job's first attempt.
  [[nodiscard]] std::span<const std::uint32_t> heads() const { return heads_; }
  /// Returns the processors that all slots ask for, or 0 if they differ.
  [[nodiscard]] std::uint32_t common() const { return common_; }
  /// Returns the largest number of attempts of a job in this batch.
  [[nodiscard]] std::int64_t attempts() const { return attempts_; }
  /// Returns L of the allotment in seconds, for Theorem 8.
  [[nodiscard]] double bound() const { return bound_; }

 private:
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> heads_;
  std::uint32_t common_ = 0;
  std::int64_t attempts_ = 1;
  double bound_ = 0;
};

/// The results of a batch.
struct ListResult {
  double end = 0;               ///< seconds
  double area = 0;              ///< A: processors times seconds of all attempts
  double longest = 0;           ///< t_max: the longest time that one job ran in all, seconds
  std::int64_t least_busy = 0;  ///< p_min of Lemma 1
};

/// What becomes of attempts: how many of each job fail, fixed beforehand but seen only attempt by
/// attempt, or dealt while the run goes on.
class ErrorRealisation {
 public:
  /// @param failures  [n]
  void fix(std::span<const std::int64_t> failures);
  void deal(std::size_t jobs, const AdaptiveFailures& adaptive);

  [[nodiscard]] bool is_adaptive() const { return groups_ > 0; }
  /// Attempts that a job still has to make. @pre !is_adaptive()
  [[nodiscard]] std::int64_t left(std::uint32_t job) const { return left_[job]; }
  /// A batch in which the job made that many attempts has ended. @pre !is_adaptive()
  void spend(std::uint32_t job, std::int64_t attempts) { left_[job] -= attempts; }
  /// The next attempt of a job ends: does it succeed? @pre is_adaptive()
  bool deal_next(std::uint32_t job);

  [[nodiscard]] bool has_succeeded(std::uint32_t job) const { return left_[job] == 0; }
  /// Failures of each job, once all have succeeded.
  [[nodiscard]] const std::vector<std::int64_t>& failures() const { return failures_; }

 private:
  std::vector<std::int64_t> left_;      ///< attempts to make; adaptive: 1 until success, then 0
  std::vector<std::int64_t> failures_;  ///< adaptive: so far
  std::int64_t groups_ = 0;
  std::vector<std::int64_t> to_succeed_;  ///< adaptive: how many i-th attempts will still succeed
};

/// Runs batches by LIST and keeps the memory for the next one.
class ListRunner {
 public:
  /// @param attempts  when not null, every attempt is added to it, with its batch
  ListResult run(const ListPlan& plan, std::int64_t processors, double start, int batch,
                 ErrorRealisation& errors, std::vector<Attempt>* attempts = nullptr);

 private:
  Completions running_;
  PendingTree tree_;
  PendingBitmap bitmap_;
  std::vector<std::int64_t> todo_;      ///< [slots] attempts to make there
  std::vector<std::uint32_t> waiting_;  ///< [slots] where some job makes no attempt in its head
  std::vector<std::size_t> open_;       ///< [slots] row of the attempt that runs
};

}  // namespace holdfast::moldable
