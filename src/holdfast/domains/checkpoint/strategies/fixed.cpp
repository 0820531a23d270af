#include "holdfast/domains/checkpoint/strategies.hpp"

namespace holdfast::checkpoint {
namespace {

class Fixed final : public Strategy {
 public:
  explicit Fixed(double period) : period_{period} {}

  std::span<const double> decide(const State& state) override {
    // What repeated subtraction leaves of nothing is no segment.
    const bool is_last = state.work_left <= period_ * (1 + 1e-9);
    cut_ = is_last ? state.work_left : period_;
    return {&cut_, 1};
  }

 private:
  double period_;
  double cut_ = 0;
};

}  // namespace

Made make_fixed(const Instance&, const StrategySpec& spec) {
  return std::make_unique<Fixed>(spec.number("period"));
}

}  // namespace holdfast::checkpoint
