#pragma once

#include "holdfast/models/resilience/segment.hpp"

#include <cstdint>

/// Tasks that run at once, each cut into equal segments with a checkpoint after each: how much
/// longer than without failures the slowest of them takes. Exponential failures.
/// Source: Perotin's thesis, chapter 6, sections 6.2 to 6.4.
namespace holdfast {

/// One task of them: work in segments.
struct SegmentedTask {
  double work = 0;  ///< seconds, > 0
  std::int64_t segments = 1;
  double rate = 0;  ///< failures per second, of all its processors, > 0
};

/// Upper bound on the expected time of the slowest of n such tasks over the work, r(n) of equations
/// (6.2) and (6.11): (log_Q n / N + log_Q log_Q n + 1 + ln Q / 12N + 1 / (N ln Q)) (1 + (C + R + D)
/// / W) + C / W + 1, where 1/Q is the probability that a segment with its checkpoint and recovery is
/// struck. Terms that are negative or undefined count 0. Asymptotic in n: information, not a
/// certificate. @pre n >= 1; infinity where a segment almost never succeeds
[[nodiscard]] double slowest_ratio_bound(double n, const SegmentedTask& task,
                                         const ResilienceCosts& costs) noexcept;

/// The same in short, under the source's mild conditions: (4/5) (ln n / N + ln ln n) + 3 + 3 / N.
[[nodiscard]] double slowest_ratio_short(double n, std::int64_t segments) noexcept;

/// Expected largest number of failures of one among n such tasks, equation (6.5), first order:
/// log_Q n + (N - 1) log_Q log_Q n + N + ln Q / 12 + 1 / ln Q.
[[nodiscard]] double largest_failure_count(double n, const SegmentedTask& task,
                                           const ResilienceCosts& costs) noexcept;

/// Mean time lost in an attempt of `length` seconds that fails: 1/rate - L / (e^(rate L) - 1),
/// equation (6.1). @pre length > 0
[[nodiscard]] double mean_lost_time(double length, double rate) noexcept;

/// Bounds on the expected time of the slowest of n such tasks, seconds (the example of section 6.2).
struct SlowestBounds {
  double lower = 0;
  double upper = 0;
};
/// Lower: one attempt L, and with probability 1 - e^(-n rate L) the loss of one failure. Upper: N L
/// + (L + R + D) sum over k >= 1 of min(1, n f^k), f = 1 - e^(-rate (N L + R)); infinity where f is 1.
[[nodiscard]] SlowestBounds slowest_time_bounds(double n, const SegmentedTask& task,
                                                const ResilienceCosts& costs) noexcept;

}  // namespace holdfast
