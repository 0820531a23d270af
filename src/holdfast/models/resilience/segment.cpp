#include "holdfast/models/resilience/segment.hpp"

#include "holdfast/base/elementary.hpp"

#include <cassert>
#include <cstddef>

namespace holdfast {

double expected_segment_time(double work, const ResilienceCosts& costs, double rate) noexcept {
  double out = 0;
  expected_segment_times({&work, 1}, costs, rate, {&out, 1});
  return out;
}

void expected_segment_times(std::span<const double> work, const ResilienceCosts& costs, double rate,
                            std::span<double> out) noexcept {
  assert(work.size() == out.size() && rate > 0);
  const double factor = (1 / rate + costs.downtime) * elementary::exp(rate * costs.recovery);
  for (std::size_t i = 0; i < work.size(); ++i) {
    const double lost = elementary::expm1(rate * (work[i] + costs.checkpoint));
    out[i] = lost > 0 ? factor * lost : 0;  // 0 times an overflow would be NaN
  }
}

double expected_recovery_time(const ResilienceCosts& costs, double rate) noexcept {
  assert(rate > 0);
  const double x = rate * costs.recovery;
  return costs.downtime * elementary::exp(x) + elementary::expm1(x) / rate;
}

double slowdown(double work, const ResilienceCosts& costs, double rate) noexcept {
  assert(work > 0);
  return expected_segment_time(work, costs, rate) / work;
}

}  // namespace holdfast
