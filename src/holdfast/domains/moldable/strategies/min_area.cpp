#include "holdfast/domains/moldable/strategies/makers.hpp"

namespace holdfast::moldable {
namespace {

/// The fewest processors with the least area (to a relative 1e-12). A roofline job has the least
/// area on any number up to its bound; the published runs used one.
class MinArea final : public LocalStrategy {
 public:
  using LocalStrategy::LocalStrategy;
  std::int64_t allocate(const Speedup& job, const Limits& limits, const State&) const override {
    std::int64_t p = 1;
    while (job.area(p) > limits.area * (1 + 1e-12)) ++p;
    return p;
  }
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_min_area(const StrategySpec& spec, const Instance&) {
  return std::make_unique<MinArea>(priority_of(spec));
}

}  // namespace holdfast::moldable
