#include "holdfast/domains/taskgraph/strategies/min_area.hpp"

#include "holdfast/domains/taskgraph/strategies/makers.hpp"

namespace holdfast::taskgraph {

std::int64_t MinArea::allocate(const Arrival& arrival) const {
  if (arrival.speedup.is_monotone()) return 1;
  const double limit = arrival.speedup.least_area(processors_) * (1 + 1e-12);
  std::int64_t p = 1;
  while (arrival.speedup.area(p) > limit) ++p;
  return p;
}

Made make_min_area(const StrategySpec& spec, const Instance& instance) {
  return std::make_unique<MinArea>(instance, order_of(spec));
}

}  // namespace holdfast::taskgraph
