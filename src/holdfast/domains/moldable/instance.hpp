#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::moldable {

/// Failures that are dealt while the run goes on, against the rule that plays: of all i-th
/// attempts, the first 2^(groups - i) to complete succeed (ties: lower job first), the others fail.
/// At most 2^groups - 1 jobs, so that every job ends. Source: Perotin's thesis, Theorem 11.
struct AdaptiveFailures {
  std::int64_t groups = 1;
};

/// The problem: independent moldable jobs, all there at time 0, on identical processors; an attempt
/// that a silent error has struck is seen to have failed at its end, and is made again.
struct Instance {
  std::int64_t processors = 1;
  std::vector<Speedup> jobs;     ///< [n] duration on p processors, seconds
  std::vector<std::string> ids;  ///< [n], or empty: jobs are called by their positions

  /// Errors per second of work on one processor: an attempt of a job fails with probability
  /// 1 - exp(-error_rate t(1)), on however many processors it runs.
  double error_rate = 0;
  /// [n] or empty: the probability that an attempt of the job fails, if the job gives it itself; else negative.
  std::vector<double> failure_probabilities;
  /// [n] or empty: the number of attempts of each job that fail, which fixes the scenario.
  std::vector<std::int64_t> failures;
  std::optional<AdaptiveFailures> adaptive;  ///< fixes the scenario too

  /// Processors of the 1st, 2nd ... attempt of each job, for strategy `as-given`; the last holds
  /// for all later ones. [n] or empty
  std::vector<std::vector<std::int64_t>> given;

  [[nodiscard]] std::size_t size() const { return jobs.size(); }
  /// Returns the id of a job, or its position.
  [[nodiscard]] std::string name(std::size_t job) const;
  /// Returns true if nothing is left to chance.
  [[nodiscard]] bool is_fixed() const;
};

/// The largest numbers that the list scheduling kernel can count.
inline constexpr std::int64_t kMostProcessors = 4'294'967'294;
/// Failures of one job beyond which an instance is refused rather than run for hours.
inline constexpr std::int64_t kMostFailures = 1'000'000'000;

/// Checks all rules about valid problems; the error is the first violation, with its place.
[[nodiscard]] Status check(const Instance& instance);

/// -ln(1 - q) of each job, q the probability that an attempt fails: error_rate times work, or from
/// the probability that the job gives. What draw_failed_attempts() takes, with rate 1.
[[nodiscard]] std::vector<double> failure_exposures(const Instance& instance);

/// What a machine can do with one job at best; the ends of the range in which to look for an
/// allocation.
struct Limits {
  std::int64_t fastest = 1;  ///< pmax
  double time = 0;           ///< t_min, seconds, attained by pmax
  double area = 0;           ///< a_min, processors times seconds
};
[[nodiscard]] Limits limits(const Speedup& job, std::int64_t processors);
[[nodiscard]] std::vector<Limits> limits(const Instance& instance);

/// Returns L'(f) in seconds, before which no schedule of these attempts ends, whatever the allocations.
/// max( max_j (f_j + 1) t_min_j, sum_j (f_j + 1) a_min_j / P )
/// @param failures  [n], or empty for none
[[nodiscard]] double lower_bound(const std::vector<Limits>& limits, std::int64_t processors,
                                 const std::vector<std::int64_t>& failures = {});

}  // namespace holdfast::moldable
