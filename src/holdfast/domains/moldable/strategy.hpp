#pragma once

#include "holdfast/domains/moldable/instance.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::moldable {

/// The order in which waiting jobs start. Among jobs with equal keys, the lower one is first.
enum class Priority : std::uint8_t {
  lpt,  ///< longest processing time: t(p) of the next attempt
  hpa,  ///< highest processor allocation: p
  la,   ///< largest area: p t(p)
};

/// Returns the key of an attempt in that order: the larger one goes first.
/// @param time  seconds
[[nodiscard]] double priority_key(Priority priority, double time, std::int64_t processors);

/// A job as it stands on a machine that runs.
struct LiveJob {
  std::int64_t failures = 0;    ///< attempts that failed
  bool is_done = false;         ///< nothing of it is to be started any more
  std::int64_t processors = 0;  ///< of the attempt that is under way; 0: there is none
  double end = 0;               ///< when that is expected to end, seconds since the beginning
};

/// An attempt that is to start.
struct Launch {
  std::uint32_t job = 0;
  std::int64_t processors = 1;
  bool operator==(const Launch&) const = default;
};

/// What a strategy may know when it plans a batch: neither a random source nor future failures.
struct State {
  std::span<const Speedup> jobs;           ///< all jobs
  std::span<const Limits> limits;          ///< [jobs]
  std::int64_t processors = 1;             ///< processors of the machine
  std::span<const std::uint32_t> pending;  ///< jobs that have not succeeded yet, ascending
  std::span<const double> exposures = {};  ///< [jobs] from failure_exposures()
  ErrorLaw errors = {};
  std::span<const double> releases = {};  ///< [jobs] seconds, or empty: all jobs are present
};

/// The numbers of the rule `rolling`; RollingRun says what they do.
struct RollingRules {
  double theta = 1.2;   ///< how much later jobs may end so that all can start at once; at least 1
  double cap = 0.05;    ///< by how much an attempt may exceed its least time then; at least 0
  double caution = 0;   ///< exponent with which the attempts of an unlucky job count; from 0 to 1
  double reserve = 0;   ///< share of the retries of an unlucky job for which time is kept
  double levels = 1;    ///< attempts aim at this part of the time up to the deadline; at least 1
  double patience = 2;  ///< nothing starts after this multiple of the known bound
};

class Strategy;

/// How a strategy that decides while jobs run goes about one set of jobs. What comes first rolls, or else is in batches; the rule
/// that a watchdog falls back on takes over what is left, on an empty machine.
struct Course {
  std::optional<RollingRules> rolling = {};
  const Strategy* batches = nullptr;
  const Strategy* fall_back = nullptr;  ///< null: there is no watchdog
};

/// Consecutive attempts of one job on the same number of processors.
struct AttemptRun {
  std::int64_t processors = 1;
  std::int64_t attempts = 1;
};

/// The decision of a strategy for a batch: the number of processors for the 1st, 2nd ... attempt of each pending job.
struct Allotment {
  /// [pending + 1] the position at which the runs of each job begin.
  std::vector<std::uint32_t> first;
  std::vector<AttemptRun> runs;  ///< runs of each job, in order of attempts
  /// L = max(longest chain, area / P) of the allotment, seconds; 0 if the strategy has no bound.
  double bound = 0;

  void clear() {
    first.assign(1, 0);
    runs.clear();
    bound = 0;
  }
  /// Ends the list of runs of a job.
  void end_job() { first.push_back(static_cast<std::uint32_t>(runs.size())); }
  [[nodiscard]] std::span<const AttemptRun> of(std::size_t position) const {
    return std::span(runs).subspan(first[position], first[position + 1] - first[position]);
  }
};

/// A rule that decides the allocations of jobs. It does not decide when they start: LIST does that, in the order of priority().
class Strategy {
 public:
  /// The result of attempts() if they are unlimited, so that the first batch is the only one.
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

  explicit Strategy(Priority priority) : priority_{priority} {}
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  [[nodiscard]] Priority priority() const { return priority_; }

  /// Returns the largest number of attempts of one job in that batch; batches count from 1. A job that has used them without
  /// success waits for the next batch, which starts when the last attempt of this one has ended.
  [[nodiscard]] virtual std::int64_t attempts(int /*batch*/) const { return kUnlimited; }

  /// Returns true if attempts() has a limit: the number of batches is then a metric.
  [[nodiscard]] virtual bool is_batched() const { return false; }

  /// Fills `out` for up to that many attempts of each pending job. The last run of a job covers all of them.
  virtual void allot(const State& state, std::int64_t attempts, Allotment& out) const = 0;

  /// Returns the course for a set of jobs; none if allot() decides everything.
  [[nodiscard]] virtual std::optional<Course> course(const State& /*state*/) const { return {}; }
  /// Returns true if a job may wait although it fits.
  [[nodiscard]] virtual bool may_wait() const { return false; }

 private:
  Priority priority_;
};

/// A strategy that considers one job at a time and gives all its attempts the same number of processors.
class LocalStrategy : public Strategy {
 public:
  using Strategy::Strategy;
  void allot(const State& state, std::int64_t attempts, Allotment& out) const final;

  /// Returns the number of processors of one job, from 1 to that of the machine. @pre the job has work
  [[nodiscard]] virtual std::int64_t allocate(const Speedup& job, const Limits& limits,
                                              const State& state) const = 0;
};

/// Returns L of Eq. (2.8), in seconds, for an allotment that gives every pending job that many attempts: the larger of the
/// longest chain and `inflation` times the total area divided by P.
[[nodiscard]] double allotment_bound(const State& state, std::int64_t attempts,
                                     const Allotment& allotment, double inflation = 1);

}  // namespace holdfast::moldable
