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

}  // namespace holdfast
