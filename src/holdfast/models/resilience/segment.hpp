#pragma once

#include <span>

namespace holdfast {

/// What one job pays in addition to its work, in seconds.
struct ResilienceCosts {
  double checkpoint = 0;  ///< C >= 0, after each segment; a failure during it loses the segment
  double recovery = 0;    ///< R >= 0, after each failure; can itself be struck
  double downtime = 0;    ///< D >= 0, before each recovery; no failure strikes during it
};

/// Returns the expected time to get one segment of work done and checkpointed, including retries:
/// E(W, C, R) = (1/rate + D) e^(rate R) (e^(rate (W + C)) - 1).
///
/// @param work  seconds, >= 0
/// @param rate  failures per second of the whole job, > 0; exponential failures only (memoryless)
/// @returns     seconds; infinity where the value overflows a double
/// Uses expm1: at rate * (work + checkpoint) = 1e-12, exp(x) - 1 is right to 4 digits, expm1 to 16.
/// Source: Perotin's thesis, chapter 5, Lemma 26, equation (5.1).
[[nodiscard]] double expected_segment_time(double work, const ResilienceCosts& costs,
                                           double rate) noexcept;

/// Writes that time for each of n segments. Nothing is allocated, and nothing is thrown. Cost: one expm1 per segment.
/// @param[out] out  [n] seconds
/// @pre work.size() == out.size()
void expected_segment_times(std::span<const double> work, const ResilienceCosts& costs, double rate,
                            std::span<double> out) noexcept;

/// Returns the expected time from a failure until the job is ready to work again, in seconds, when failures may also strike
/// the recovery: E(R) = D e^(rate R) + (e^(rate R) - 1) / rate. Each attempt pays the downtime
/// once. Source: Perotin's thesis, chapter 5, footnote 3.
[[nodiscard]] double expected_recovery_time(const ResilienceCosts& costs, double rate) noexcept;

/// Returns E(W, C, R) / W: how much longer the work takes than without failures and checkpoints.
/// @pre work > 0. Source: Perotin's thesis, chapter 5, Lemma 27.
[[nodiscard]] double slowdown(double work, const ResilienceCosts& costs, double rate) noexcept;

}  // namespace holdfast
