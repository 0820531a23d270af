#include "holdfast/domains/moldable/strategies/makers.hpp"

namespace holdfast::moldable {
namespace {

/// The fewest processors that make the job fastest.
class MinTime final : public LocalStrategy {
 public:
  using LocalStrategy::LocalStrategy;
  std::int64_t allocate(const Speedup&, const Limits& limits, const State&) const override {
    return limits.fastest;
  }
};

}  // namespace

std::unique_ptr<Strategy> min_time_rule() {
  return std::make_unique<MinTime>(Priority::lpt);
}

Result<std::unique_ptr<Strategy>> make_min_time(const StrategySpec& spec, const Instance&) {
  return std::make_unique<MinTime>(priority_of(spec));
}

}  // namespace holdfast::moldable
