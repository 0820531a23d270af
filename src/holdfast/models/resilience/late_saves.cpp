#include "holdfast/models/resilience/late_saves.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/minimum.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace holdfast {

double planned_checkpoint(double checkpoint, const LateSaves& late) noexcept {
  return checkpoint * (1 - late.failure) / (1 + late.failure);
}

double late_slowdown(double work, const ResilienceCosts& costs, double rate,
                     const LateSaves& late) noexcept {
  assert(work >= late.flush);
  ResilienceCosts with_flush = costs;
  with_flush.recovery += late.flush;
  const double safe = elementary::exp(-rate * (work + costs.checkpoint));
  return slowdown(work, with_flush, rate) * (1 - late.failure * safe) / (1 - late.failure);
}

double late_optimal_period(double checkpoint, double mtbf, const LateSaves& late) {
  if (late.failure == 0) return std::max(optimal_period(checkpoint, mtbf), late.flush);
  constexpr double kReach = 32;
  constexpr double kPrecision = 1e-9;
  const double usual = young_daly_period(planned_checkpoint(checkpoint, late), mtbf);
  const auto value = [&](double log) {
    const double work = elementary::exp(log);
    const LateSaves at_once{.failure = late.failure};
    return elementary::log(late_slowdown(work, {.checkpoint = checkpoint}, 1 / mtbf, at_once));
  };
  const double log = find_minimum(value, elementary::log(usual / kReach),
                                  elementary::log(usual * kReach), kPrecision);
  return std::max(elementary::exp(log), late.flush);
}

double late_job_time(std::span<const double> segments, const ResilienceCosts& costs, double rate,
                     JobEnds ends, double flush) noexcept {
  double sum = 0;
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const bool is_saved = k + 1 < segments.size() || ends.final_checkpoint;
    ResilienceCosts here = costs;
    if (!is_saved) here.checkpoint = 0;
    double work = segments[k];
    if (k == 0) {
      if (is_saved) here.checkpoint += flush;
      if (!ends.initial_recovery) here.recovery = 0;
    } else {
      here.recovery += flush;
      work = is_saved ? std::max(work, flush) : work - flush;
      assert(work >= 0);
    }
    sum += expected_segment_time(work, here, rate);
  }
  return sum;
}

}  // namespace holdfast
