#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/models/resilience/attempt_errors.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::moldable {

/// Failures that an adversary assigns during the run: of all i-th attempts, the first 2^(groups - i) to complete succeed (ties:
/// lower job first), and the others fail. There are at most 2^groups - 1 jobs, so that every job ends. Source: Perotin's
/// thesis, Theorem 11.
struct AdaptiveFailures {
  std::int64_t groups = 1;
};

/// An instance: independent moldable jobs on identical processors. If an error strikes an attempt, this is
/// found at the end of the attempt (silent errors) or at once, and the attempt is repeated.
struct Instance {
  std::int64_t processors = 1;
  std::vector<Speedup> jobs;     ///< [n] duration on p processors, seconds
  std::vector<std::string> ids;  ///< [n], or empty: jobs are called by their positions
  /// [n], or empty: times before which nobody knows of a job, so that it cannot start, seconds >= 0.
  std::vector<double> releases;

  ErrorModel error_model = ErrorModel::work;
  /// Errors per second of work on one processor: with the model `work`, an attempt of a job fails with probability
  /// 1 - exp(-error_rate t(1)), whatever its number of processors.
  double error_rate = 0;
  double checkpoint =
      0;  ///< seconds that a save of a running job takes, with fail-stop errors; 0: there are none
  double recovery = 0;  ///< seconds from an error to the work after the last save
  /// [n] or empty: the probability that an attempt of the job fails, if the job itself gives it; otherwise negative.
  std::vector<double> failure_probabilities;
  /// [n] or empty: the number of failed attempts of each job. It fixes the scenario.
  std::vector<std::int64_t> failures;
  std::optional<AdaptiveFailures> adaptive;  ///< also fixes the scenario
  std::vector<std::vector<double>> strikes;  ///< [n] or empty: fixes the scenario for other models

  /// [n] or empty: processors of the 1st, 2nd ... attempt of each job, for strategy `as-given`. The last number holds for all
  /// later attempts.
  std::vector<std::vector<std::int64_t>> given;

  [[nodiscard]] std::size_t size() const { return jobs.size(); }
  /// Returns the id of a job, or its position.
  [[nodiscard]] std::string name(std::size_t job) const;
  /// Returns true if nothing is random.
  [[nodiscard]] bool is_fixed() const;
  [[nodiscard]] ErrorLaw errors() const { return {error_model, error_rate, checkpoint, recovery}; }
};

/// The largest number of processors that list scheduling supports.
inline constexpr std::int64_t kMostProcessors = 4'294'967'294;
/// The largest number of failures of one job. An instance with more is refused, because it would run for hours.
inline constexpr std::int64_t kMostFailures = 1'000'000'000;

/// Checks all rules for valid instances. The error is the first violation, with its place.
[[nodiscard]] Status check(const Instance& instance);

/// Returns -ln(1 - q) for each job, where q is the probability that an attempt fails. If the job gives no probability of its
/// own, this is error_rate times its work, or times its least area if errors count by area: more processors may fail more often.
/// draw_failed_attempts() takes the values as works, with rate 1.
[[nodiscard]] std::vector<double> failure_exposures(const Instance& instance);

/// The best values of one job on a machine, which limit the search for an allocation.
struct Limits {
  std::int64_t fastest = 1;  ///< pmax: the number of processors with the shortest time
  double time = 0;           ///< t_min, seconds, reached with pmax processors
  double area = 0;           ///< a_min, processor-seconds
  std::int64_t widest = Speedup::kUnbounded;  ///< no strategy gives it more processors
};
/// Return the best values of one job, and of each job of an instance.
[[nodiscard]] Limits limits(const Speedup& job, std::int64_t processors);
[[nodiscard]] std::vector<Limits> limits(const Instance& instance);
/// Returns the same, but where errors count by area, no job gets more processors than make the expected time of all its attempts
/// least: these are `fastest` and `widest`, and `time` is the time of one attempt on them.
[[nodiscard]] std::vector<Limits> limits_for_strategies(const Instance& instance);

/// What all attempts of a job cost at least, whatever the allocations.
struct LeastCost {
  double time = 0;     ///< seconds
  double area = 0;     ///< processor-seconds
  double release = 0;  ///< seconds
};
/// Returns max( max_j r_j + time_j, max_r r + sum_{r_j >= r} area_j / P ) in seconds, r_j the release of a job: no schedule ends earlier.
[[nodiscard]] double lower_bound(std::vector<LeastCost> costs, std::int64_t processors);
/// Returns the same for f_j failures of each job, in seconds; without releases it is L'(f) = max( max_j (f_j + 1) t_min_j,
/// sum_j (f_j + 1) a_min_j / P ).
/// @param failures  [n] failed attempts, or empty for none
/// @param releases  [n] seconds, or empty: all jobs are present at time 0
[[nodiscard]] double lower_bound(std::span<const Limits> limits, std::int64_t processors,
                                 std::span<const std::int64_t> failures = {},
                                 std::span<const double> releases = {});

}  // namespace holdfast::moldable
