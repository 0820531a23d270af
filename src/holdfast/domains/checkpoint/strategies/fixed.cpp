#include "holdfast/domains/checkpoint/strategies.hpp"

#include <cstdint>

namespace holdfast::checkpoint {
namespace {

class Fixed final : public Strategy {
 public:
  Fixed(double period, std::int64_t locals) : period_{period}, locals_{locals} {}

  std::span<const double> decide(const State& state) override {
    // The rounding error of repeated subtraction is no segment of its own.
    const bool is_last = state.work_left <= period_ * (1 + 1e-9);
    cut_ = is_last ? state.work_left : period_;
    level_ = state.local < locals_ ? Level::local : Level::global;
    return {&cut_, 1};
  }
  std::span<const Level> levels() const override {
    if (locals_ == 0) return {};
    return {&level_, 1};
  }

 private:
  double period_;
  std::int64_t locals_;
  double cut_ = 0;
  Level level_ = Level::global;
};

}  // namespace

Made make_fixed(const Instance& instance, const StrategySpec& spec) {
  const auto locals = static_cast<std::int64_t>(spec.number("locals"));
  if (locals > 0) HOLDFAST_CHECK(check_levels(instance, spec));
  return std::make_unique<Fixed>(spec.number("period"), locals);
}

}  // namespace holdfast::checkpoint
