#pragma once

#include "holdfast/models/resilience/segment.hpp"

#include <cstdint>

/// Whole jobs that are cut into segments, under exponential failures. Works and periods are in seconds, rates in failures per
/// second of the whole job.
/// Source: Perotin's thesis, sections 5.3.2 to 5.3.4.
namespace holdfast {

/// What a job does at its start and at its end.
struct JobEnds {
  bool final_checkpoint = true;  ///< the last segment is followed by a checkpoint
  /// A failure in the first segment costs a recovery, because the inputs are read again.
  bool initial_recovery = true;
};

/// A job in `segments` pieces with the same sum of work, checkpoint and recovery, which is the best placement for that number
/// (equation 5.3). If the job has both a final checkpoint and an initial recovery, the pieces are equal.
struct JobPlan {
  std::int64_t segments = 1;  ///< number of segments, at least 1
  double span = 0;            ///< work, checkpoint and recovery of each segment (W_seg), seconds
  double expected_time = 0;   ///< expected duration, seconds; infinity where it overflows
};

/// Returns the plan with that many segments. Its expected time is E_N = (1/rate + D) (N e^(rate span) - sum of e^(rate R_i)).
/// The last formula of section 5.3.4 in the thesis has a sign error: what it adds must be subtracted.
/// @param work  seconds, > 0
/// @param rate  failures per second of the whole job, > 0
/// @pre segments >= 1; is_possible() below
[[nodiscard]] JobPlan job_in_segments(double work, const ResilienceCosts& costs, double rate,
                                      std::int64_t segments, JobEnds ends = {}) noexcept;

/// Returns true if every segment of that plan contains some work. With both ends this always holds. Without one of them, a job
/// that is short compared with C and R cannot have many segments.
[[nodiscard]] bool is_possible(double work, const ResilienceCosts& costs, std::int64_t segments,
                               JobEnds ends) noexcept;

/// Returns the plan with the smallest expected time. E_N is convex in N, and its real minimum lies at (work - R - C + R_1 +
/// C_N) / optimal_period(), so only the integers around it are compared. Cost: O(1).
/// @pre costs.checkpoint > 0
[[nodiscard]] JobPlan optimal_job(double work, const ResilienceCosts& costs, double rate,
                                  JobEnds ends = {}) noexcept;

/// Returns the number of segments into which a period cuts the work of a job: ceil(work / period), at least 1. Both are in
/// seconds.
[[nodiscard]] std::int64_t segments_for_period(double work, double period) noexcept;

}  // namespace holdfast
