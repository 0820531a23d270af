#pragma once

#include "holdfast/algorithms/completions.hpp"
#include "holdfast/domains/moldable/chain.hpp"
#include "holdfast/domains/moldable/list_run.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// The lower bound L' for the attempts that are known to be needed; it grows with each failure.
class KnownBound {
 public:
  /// Starts with one attempt of each pending job that is released at time 0.
  explicit KnownBound(const State& state);
  void add_attempt(std::uint32_t job);
  /// Returns the bound in seconds.
  [[nodiscard]] double value() const;

 private:
  State state_;
  std::vector<double> attempts_;  ///< [jobs]
  double longest_ = 0, area_ = 0;
};

/// A runner of jobs without batches: all that is left aims at one common deadline, which rolls with what is seen. An attempt gets
/// the fewest processors with which, on average, its job ends by the deadline; what runs is never changed. A job is unknown until
/// it is released. The README has the rule.
class RollingRun {
 public:
  /// No attempt takes longer than this multiple of the known bound.
  static constexpr double kLongest = 2;

  /// What the state points to must outlive the run. It decides on what starts first, once for all scenarios.
  RollingRun(const State& state, const RollingRules& rules);

  /// Runs one scenario until all jobs have succeeded, or until the watchdog has emptied the machine, and returns that time in
  /// seconds. @param attempts  receives every attempt; may be null
  double run(ErrorRealisation& errors, std::vector<Attempt>* attempts);

  /// Returns what starts on a machine that stands so. The deadline is found again, and there is no watchdog: nothing is remembered.
  /// @param jobs  [jobs]
  [[nodiscard]] std::vector<Launch> resume(std::span<const LiveJob> jobs, double now);

  /// Fills `out` with the processors of the first attempts.
  void first(Allotment& out) const;
  /// Returns the time in seconds by which the machine is empty at the latest if the watchdog fires, for the failures seen.
  [[nodiscard]] double latest() const { return (rules_.patience + kLongest) * known_.value(); }
  /// Returns the number of allocations that were computed so far.
  [[nodiscard]] std::int64_t work() const { return work_; }

 private:
  struct Job {
    double success = 1;  ///< probability that an attempt succeeds
    double share = 1;    ///< of the time left that an attempt may take
    double kept = 0;     ///< seconds of the time left that are kept for retries
    double time = 0;     ///< of its attempt, seconds
    std::uint32_t processors = 1;
    std::uint32_t table = 0;  ///< index in tables_
  };
  /// What changes during a run, apart from who runs.
  struct Plan {
    std::vector<Job> jobs;               ///< [jobs]
    std::vector<std::uint32_t> pending;  ///< shortest first; later jobs first among equals
    std::uint32_t least = 1;             ///< no pending job asks for fewer processors
    double deadline = 0;                 ///< seconds
  };

  [[nodiscard]] double expected_area(std::uint32_t job, double processors, double time) const;
  [[nodiscard]] double retry_area(std::uint32_t job) const;
  void reset();
  [[nodiscard]] std::int64_t fewest(std::uint32_t job, double limit) const;
  [[nodiscard]] double most_time(std::uint32_t job, double left) const;
  [[nodiscard]] bool fits_area(double left);
  [[nodiscard]] bool fits_at_once(double left);
  void solve();
  void allocate(double floor);
  void start();
  void launch(std::uint32_t job);
  void complete(ErrorRealisation& errors);
  [[nodiscard]] bool is_due() const;

  State state_;
  RollingRules rules_;
  std::vector<ChainOptions> tables_;
  Plan first_;
  KnownBound first_known_;
  std::vector<std::uint32_t> later_;  ///< jobs that are released after time 0

  // One scenario.
  Plan plan_;
  KnownBound known_;
  double now_ = 0, solved_ = 0;  ///< seconds
  std::uint32_t free_ = 0;       ///< processors
  Completions running_;
  std::vector<std::uint32_t> active_;  ///< the jobs that run
  std::vector<std::uint32_t> place_;   ///< [jobs] position in active_
  std::vector<double> ends_;           ///< [jobs] seconds, if no error ends the attempt
  double last_end_ = 0;                ///< latest of those that run
  double area_ = 0;                    ///< of what runs, up to its end: sum of processors times end
  double retries_ = 0;                 ///< expected area of the retries of what runs
  std::vector<std::uint32_t> ended_;   ///< jobs that end now
  std::vector<std::uint32_t>
      returned_;  ///< jobs that failed or were released since the last solve()
  std::vector<Attempt>* attempts_ = nullptr;
  const ErrorRealisation* errors_ = nullptr;  ///< null: an attempt lasts as long as without errors
  std::int64_t work_ = 0;
};

}  // namespace holdfast::moldable
