#pragma once

#include "holdfast/models/resilience/job.hpp"
#include "holdfast/models/resilience/segment.hpp"

#include <span>

/// Checkpoints that are not safe when they end, under exponential failures. A checkpoint stops the job for C and is safe L later,
/// while the job works on; a failure until then loses it too. No checkpoint begins before the one before is safe. A share p of them turns
/// out not to be whole when it should be safe: the job goes on, and the next whole one saves its work too.
namespace holdfast {

/// What happens to a checkpoint after its end.
struct LateSaves {
  double flush = 0;    ///< L >= 0, time until it is safe, seconds
  double failure = 0;  ///< p, share of the checkpoints that are not whole; 0 <= p < 1

  [[nodiscard]] bool exist() const { return flush > 0 || failure > 0; }
};

/// Returns the cost C (1 - p) / (1 + p), with which rules for safe checkpoints give the first-order best period: one every W loses
/// C / W, and rate W (1/2 + p / (1 - p)), since on average p / (1 - p) checkpoints before a failure were not whole.
[[nodiscard]] double planned_checkpoint(double checkpoint, const LateSaves& late) noexcept;

/// Returns how much longer the work of a job without end takes than without failures and checkpoints: that of safe checkpoints times
/// e^(rate L) (1 - p s) / (1 - p), where s = e^(-rate (W + C)). In a life, n checkpoints come to be safe with probability e^(-rate L)
/// s^n (1 - s) for n >= 1, and the last whole one of these counts.
/// @param work  W >= L, seconds of work between two checkpoints
[[nodiscard]] double late_slowdown(double work, const ResilienceCosts& costs, double rate,
                                   const LateSaves& late) noexcept;

/// Returns the period that minimises it, in seconds: without failed checkpoints the larger of optimal_period() and L.
[[nodiscard]] double late_optimal_period(double checkpoint, double mtbf, const LateSaves& late);

/// Returns the expected time of a job that is cut into segments and ends when its last checkpoint is safe, in seconds. When one is safe,
/// the job has worked for L already, so the next is safe after W + C more, and a failure costs that L again: E(W, C, R + L) each,
/// after E(W, C + L, R) for the first.
/// @param segments  work of each, seconds; if the last ends without a checkpoint and is not the first, it is at least L long
[[nodiscard]] double late_job_time(std::span<const double> segments, const ResilienceCosts& costs,
                                   double rate, JobEnds ends, double flush) noexcept;

}  // namespace holdfast
