#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/strategies/since_failure.hpp"

#include <algorithm>

namespace holdfast::checkpoint {
namespace {

/// Young and Daly's period of one MTBF for a time after each failure, and that of another MTBF from then on.
class BiPeriodic final : public SinceFailure {
 public:
  BiPeriodic(const Instance& instance, double window, double degraded, double normal)
      : SinceFailure(instance),
        window_{window},
        degraded_{usual_period(instance, degraded)},
        normal_{usual_period(instance, normal)} {}

 private:
  double period(double since) const override { return since < window_ ? degraded_ : normal_; }

  double window_, degraded_, normal_;
};

// The mean time between failures in the `window` after a failure: p - 1 processors fail as on average, and one is new.
double mtbf_after_failure(const Instance& instance, double mtbf, double window) {
  const auto processors = static_cast<double>(instance.processors);
  const double others = window * (processors - 1) / (mtbf * processors);
  return window / (others + instance.law->cumulative_hazard(window));
}

}  // namespace

// If the rate is 1/d up to a time T after each failure and 1/n beyond, the mean time between failures is
// M = d (1 - e^(-T/d)) + n e^(-T/d), which gives n.
Made make_bi_periodic(const Instance& instance, const StrategySpec& spec) {
  const double mtbf = mtbf_for(instance, spec);
  const double window = spec.has("window") ? spec.number("window") : mtbf / 2;
  const double degraded =
      spec.has("degraded") ? spec.number("degraded") : mtbf_after_failure(instance, mtbf, window);
  const double quiet = elementary::exp(-window / degraded);
  const double normal = (mtbf - degraded * (1 - quiet)) / quiet;
  return std::make_unique<BiPeriodic>(instance, window, degraded, normal > 0 ? normal : degraded);
}

}  // namespace holdfast::checkpoint
