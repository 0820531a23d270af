#include "holdfast/domains/taskgraph/strategies/fraction.hpp"

#include "holdfast/domains/taskgraph/strategies/makers.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::taskgraph {

Fraction::Fraction(const Instance& instance, double share, QueueOrder order)
    : ListStrategy{order},
      processors_{instance.processors},
      most_{std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(
                                          share * static_cast<double>(instance.processors))))} {}

std::int64_t Fraction::allocate(const Arrival& arrival) const {
  return std::min(arrival.speedup.fastest(processors_), most_);
}

Made make_fraction(const StrategySpec& spec, const Instance& instance) {
  return std::make_unique<Fraction>(instance, spec.number("share"), order_of(spec));
}

}  // namespace holdfast::taskgraph
