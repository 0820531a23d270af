#include "holdfast/domains/sketch/strategies.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::sketch {
namespace {

class Parts final : public Strategy {
 public:
  explicit Parts(double segment) : segment_{segment} {}

  double next_segment(const State& state) override {
    // The remaining work is divided again, so that rounding leaves no tiny rest with a save of its own.
    const double count = std::max(1.0, std::round(state.work_left / segment_));
    return count == 1.0 ? state.work_left : state.work_left / count;
  }

 private:
  double segment_;  // seconds
};

}  // namespace

std::unique_ptr<Strategy> make_parts(const StrategySpec& spec, const Instance& instance) {
  const double count = spec.has("count") ? spec.number("count") : 1;  // `whole` has none
  return std::make_unique<Parts>(instance.work / count);
}

}  // namespace holdfast::sketch
