#pragma once

#include "holdfast/models/resilience/segment.hpp"

#include <cstdint>

/// Whole jobs cut into segments, exponential failures. Source: Perotin's thesis, sections 5.3.2
/// to 5.3.4.
namespace holdfast {

/// What stands at the two ends of a job.
struct JobEnds {
  bool final_checkpoint = true;  ///< the last segment is followed by a checkpoint
  bool initial_recovery =
      true;  ///< a failure in the first segment pays a recovery (inputs are read again)
};

/// A job in `segments` pieces, each with the same work + checkpoint + recovery, which is the best
/// placement for that number (equation 5.3). With both ends the pieces are equal.
struct JobPlan {
  std::int64_t segments = 1;
  double span = 0;           ///< seconds of work + checkpoint + recovery in each segment (W_seg)
  double expected_time = 0;  ///< seconds; infinity where it overflows
};

/// The plan with that many segments.
/// @param work  seconds, > 0
/// @param rate  failures per second of the whole job, > 0
/// @pre segments >= 1; is_possible() below
/// E_N = (1/rate + D) (N e^(rate span) - sum of e^(rate R_i)). The thesis prints the last formula
/// of section 5.3.4 with the wrong signs: what it adds must be subtracted.
[[nodiscard]] JobPlan job_in_segments(double work, const ResilienceCosts& costs, double rate,
                                      std::int64_t segments, JobEnds ends = {}) noexcept;

/// Whether every segment of that plan has some work. Always with both ends; without one of them, a
/// job that is short against C and R cannot be cut often.
[[nodiscard]] bool is_possible(double work, const ResilienceCosts& costs, std::int64_t segments,
                               JobEnds ends) noexcept;

/// The plan of least expected time. E_N is convex in N, and its real minimum lies at (work - R - C
/// + R_1 + C_N) / optimal_period(): only the integers around it are compared. Cost: O(1). @pre
/// costs.checkpoint > 0
[[nodiscard]] JobPlan optimal_job(double work, const ResilienceCosts& costs, double rate,
                                  JobEnds ends = {}) noexcept;

/// Number of segments that a period gives: ceil(work / period), at least 1.
[[nodiscard]] std::int64_t segments_for_period(double work, double period) noexcept;

}  // namespace holdfast
