#include "holdfast/domains/checkpoint/strategies.hpp"

#include <cmath>

namespace holdfast::checkpoint {
namespace {

class None final : public Strategy {
 public:
  std::span<const double> decide(const State& state) override {
    cut_ = state.work_left;
    return {&cut_, 1};
  }

 private:
  double cut_ = 0;
};

}  // namespace

Made make_none(const Instance& instance, const StrategySpec&) {
  if (std::isinf(instance.work)) {
    return fail(ErrorCode::bad_value, "/work",
                "is missing; strategy 'none' would never save anything");
  }
  return std::make_unique<None>();
}

}  // namespace holdfast::checkpoint
