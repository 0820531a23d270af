#pragma once

#include <span>

namespace holdfast {

/// The costs of a job in addition to its work, in seconds.
struct ResilienceCosts {
  double checkpoint = 0;  ///< time C >= 0 after each segment; a failure during it loses the segment
  double recovery = 0;    ///< time R >= 0 after each failure; failures may also strike during it
  double downtime = 0;    ///< time D >= 0 before each recovery; no failure strikes during it
};

/// Returns the expected time to complete and checkpoint one segment of work, including retries: E(W, C, R) = (1/rate + D)
/// e^(rate R) (e^(rate (W + C)) - 1).
///
/// @param work  seconds, >= 0
/// @param rate  failures per second of the whole job, > 0; exponential failures only (memoryless)
/// @returns     seconds; infinity where the value overflows a double
/// Uses expm1, which is right to 16 digits at rate * (work + checkpoint) = 1e-12, where exp(x) - 1 is right only to 4.
/// Source: Perotin's thesis, chapter 5, Lemma 26, equation (5.1).
[[nodiscard]] double expected_segment_time(double work, const ResilienceCosts& costs,
                                           double rate) noexcept;

/// Writes this time for each of n segments. Nothing is allocated or thrown. Cost: one expm1 per segment.
/// @param work  [n] seconds
/// @param[out] out  [n] seconds
/// @pre work.size() == out.size()
void expected_segment_times(std::span<const double> work, const ResilienceCosts& costs, double rate,
                            std::span<double> out) noexcept;

/// Returns the expected time from a failure until the job is ready to work again, in seconds, when failures may also strike
/// the recovery: E(R) = D e^(rate R) + (e^(rate R) - 1) / rate. Each attempt pays the downtime once.
/// @param rate  failures per second of the whole job, > 0
/// Source: Perotin's thesis, chapter 5, footnote 3.
[[nodiscard]] double expected_recovery_time(const ResilienceCosts& costs, double rate) noexcept;

/// Returns E(W, C, R) / W: how much longer the work takes than without failures and checkpoints.
/// @param work  seconds, > 0
/// @param rate  failures per second of the whole job, > 0
/// Source: Perotin's thesis, chapter 5, Lemma 27.
[[nodiscard]] double slowdown(double work, const ResilienceCosts& costs, double rate) noexcept;

}  // namespace holdfast
