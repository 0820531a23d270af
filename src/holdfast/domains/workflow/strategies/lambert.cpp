#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/workflow/strategies/makers.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::workflow {
namespace {

/// The whole number of segments with the least expected time. The expected time is convex in this
/// number, so the best is one of the two around the real optimum; if they are equal, the smaller.
class Lambert final : public LocalStrategy {
 public:
  Cut cut(const TaskView& task) const override {
    const double period = optimal_period(task.checkpoint, 1 / task.rate);
    const double real = task.length / period;
    if (!(real < static_cast<double>(kMostSegments))) return cut_by_period(task.length, period);
    const double below = std::max(1.0, std::floor(real));
    const double above = std::max(1.0, std::ceil(real));
    const auto expected = [&](double segments) {
      return segments * elementary::expm1(task.rate * (task.length / segments + task.checkpoint));
    };
    const double best = expected(above) < expected(below) ? above : below;
    return {.segments = static_cast<std::int64_t>(best), .period = period};
  }
};

}  // namespace

Made make_lambert(const StrategySpec&, const Instance& instance) {
  HOLDFAST_CHECK(has_period(instance));
  return std::make_unique<Lambert>();
}

}  // namespace holdfast::workflow
