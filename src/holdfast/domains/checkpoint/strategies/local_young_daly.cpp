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
    const double period =
        young_daly_period(checkpoint_, 1 / present_rate(state.outlook, checkpoint_));
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
  return std::make_unique<LocalYoungDaly>(planned_checkpoint(instance.checkpoint, instance.late));
}

}  // namespace holdfast::checkpoint
