#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::checkpoint {
namespace {

class LocalYoungDaly final : public Strategy {
 public:
  explicit LocalYoungDaly(double checkpoint) : checkpoint_{checkpoint} {}

  std::span<const double> decide(const State& state) override {
    const HazardCurve& curve = state.outlook.curve(checkpoint_);
    double rate = curve.hazard(0);
    // The hazard of new processors may be infinite or 0: take the mean over the next checkpoint.
    if (!std::isfinite(rate) || rate <= 0) rate = curve.cumulative(checkpoint_) / checkpoint_;
    const double period = young_daly_period(checkpoint_, 1 / rate);
    const double segments = std::max(1.0, std::ceil(state.work_left / period));
    cut_ = std::isfinite(segments) ? state.work_left / segments : period;
    return {&cut_, 1};
  }

 private:
  double checkpoint_;
  double cut_ = 0;
};

}  // namespace

Made make_local_young_daly(const Instance& instance, const StrategySpec&) {
  return std::make_unique<LocalYoungDaly>(instance.checkpoint);
}

}  // namespace holdfast::checkpoint
