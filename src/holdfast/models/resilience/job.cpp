#include "holdfast/models/resilience/job.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast {
namespace {

/// More segments than this are never useful; the limit also keeps the conversion from double defined.
constexpr double kMostSegments = 0x1p53;

double first_recovery(const ResilienceCosts& costs, JobEnds ends) {
  return ends.initial_recovery ? costs.recovery : 0;
}
double last_checkpoint(const ResilienceCosts& costs, JobEnds ends) {
  return ends.final_checkpoint ? costs.checkpoint : 0;
}

double span_of(double work, const ResilienceCosts& costs, std::int64_t segments, JobEnds ends) {
  const auto n = static_cast<double>(segments);
  return (work + (n - 1) * (costs.checkpoint + costs.recovery) + last_checkpoint(costs, ends) +
          first_recovery(costs, ends)) /
         n;
}

}  // namespace

bool is_possible(double work, const ResilienceCosts& costs, std::int64_t segments,
                 JobEnds ends) noexcept {
  assert(segments >= 1);
  if (segments == 1) return true;
  const double span = span_of(work, costs, segments, ends);
  const double first = span - costs.checkpoint - first_recovery(costs, ends);
  const double last = span - last_checkpoint(costs, ends) - costs.recovery;
  const double middle = segments > 2 ? span - costs.checkpoint - costs.recovery : first;
  return std::min({first, middle, last}) > 0;
}

JobPlan job_in_segments(double work, const ResilienceCosts& costs, double rate,
                        std::int64_t segments, JobEnds ends) noexcept {
  assert(work > 0 && rate > 0 && segments >= 1);
  const auto n = static_cast<double>(segments);
  JobPlan plan{.segments = segments, .span = span_of(work, costs, segments, ends)};
  // If both ends are alike, there is one product of exponentials, so no digits are lost in a difference.
  if (ends.final_checkpoint && ends.initial_recovery) {
    plan.expected_time = n * expected_segment_time(work / n, costs, rate);
    return plan;
  }
  // The sum of (e^(rate span) - e^(rate R_i)), each computed as e^(rate R_i) (e^(rate (span - R_i)) - 1).
  const auto piece = [&](double recovery) {
    return elementary::exp(rate * recovery) * elementary::expm1(rate * (plan.span - recovery));
  };
  // One segment has no other recovery. The product is not computed then, because 0 times an overflow is NaN.
  const double others = segments > 1 ? (n - 1) * piece(costs.recovery) : 0;
  const double sum = others + piece(first_recovery(costs, ends));
  plan.expected_time = (1 / rate + costs.downtime) * sum;
  return plan;
}

JobPlan optimal_job(double work, const ResilienceCosts& costs, double rate, JobEnds ends) noexcept {
  const double free_work = work - costs.recovery - costs.checkpoint + first_recovery(costs, ends) +
                           last_checkpoint(costs, ends);
  const double real_count = free_work / optimal_period(costs.checkpoint, 1 / rate);
  const double below = std::clamp(std::floor(real_count), 1.0, kMostSegments);
  // 2 is also tried: without one of its ends, a short job has no real minimum and may still gain by one cut.
  const std::int64_t candidates[] = {1, 2, static_cast<std::int64_t>(below),
                                     static_cast<std::int64_t>(below) + 1};
  JobPlan best = job_in_segments(work, costs, rate, 1, ends);
  for (const std::int64_t segments : candidates) {
    if (!is_possible(work, costs, segments, ends)) continue;
    const JobPlan plan = job_in_segments(work, costs, rate, segments, ends);
    if (plan.expected_time < best.expected_time) best = plan;
  }
  return best;
}

std::int64_t segments_for_period(double work, double period) noexcept {
  const double count = std::ceil(work / period);
  return static_cast<std::int64_t>(std::clamp(count, 1.0, kMostSegments));
}

}  // namespace holdfast
