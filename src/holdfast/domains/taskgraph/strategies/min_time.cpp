#include "holdfast/domains/taskgraph/strategies/min_time.hpp"

#include "holdfast/domains/taskgraph/strategies/makers.hpp"

namespace holdfast::taskgraph {

std::int64_t MinTime::allocate(const Arrival& arrival) const {
  return arrival.speedup.fastest(processors_);
}

Made make_min_time(const StrategySpec& spec, const Instance& instance) {
  return std::make_unique<MinTime>(instance, order_of(spec));
}

}  // namespace holdfast::taskgraph
