#pragma once

#include "holdfast/models/resilience/segment.hpp"

#include <cstdint>

/// Tasks that run at the same time, each cut into equal segments with a checkpoint after each: how much longer the slowest of
/// them takes because of failures. Failures are exponential; rates are in failures per second.
/// Source: Perotin's thesis, chapter 6, sections 6.2 to 6.4.
namespace holdfast {

/// One of these tasks, in segments.
struct SegmentedTask {
  double work = 0;            ///< work of the task, seconds, > 0
  std::int64_t segments = 1;  ///< number of segments N, at least 1
  double rate = 0;            ///< failures per second of all its processors together, > 0
};

/// Returns an upper bound on the expected time of the slowest of n such tasks, divided by the work: r(n) of equations (6.2) and
/// (6.11):
///
///     (log_Q n / N + log_Q log_Q n + 1 + ln Q / 12N + 1 / (N ln Q)) (1 + (C + R + D) / W) + C / W + 1
///
/// where 1/Q is the probability that a failure strikes a segment with its checkpoint and recovery. Terms that are negative or
/// undefined count as 0. The bound holds only asymptotically in n, so for finite n it is a guide and not a guarantee. It is
/// infinite if a segment almost never succeeds.
/// @pre n >= 1
[[nodiscard]] double slowest_ratio_bound(double n, const SegmentedTask& task,
                                         const ResilienceCosts& costs) noexcept;

/// Returns the short form of that bound under the source's mild conditions: (4/5) (ln n / N + ln ln n) + 3 + 3 / N.
[[nodiscard]] double slowest_ratio_short(double n, std::int64_t segments) noexcept;

/// Returns the expected largest number of failures that one of n such tasks suffers, equation (6.5), to first order: log_Q n +
/// (N - 1) log_Q log_Q n + N + ln Q / 12 + 1 / ln Q.
[[nodiscard]] double largest_failure_count(double n, const SegmentedTask& task,
                                           const ResilienceCosts& costs) noexcept;

/// Returns the mean time lost, in seconds, in an attempt of `length` seconds that fails: 1/rate - L / (e^(rate L) - 1),
/// equation (6.1).
/// @pre length > 0
[[nodiscard]] double mean_lost_time(double length, double rate) noexcept;

/// Bounds on the expected time of the slowest of n such tasks, in seconds (the example of section 6.2).
struct SlowestBounds {
  double lower = 0;  ///< lower bound, seconds
  double upper = 0;  ///< upper bound, seconds
};
/// Returns these bounds. The lower one is one attempt L, plus the loss of one failure with probability 1 - e^(-n rate L).
/// The upper one is N L plus (L + R + D) times the sum over k >= 1 of min(1, n f^k), with f = 1 - e^(-rate (N L + R)); it is
/// infinite where f is 1.
[[nodiscard]] SlowestBounds slowest_time_bounds(double n, const SegmentedTask& task,
                                                const ResilienceCosts& costs) noexcept;

}  // namespace holdfast
