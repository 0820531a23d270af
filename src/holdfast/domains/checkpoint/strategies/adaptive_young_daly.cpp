#include "holdfast/domains/checkpoint/strategies/advised.hpp"

namespace holdfast::checkpoint {

Made make_adaptive_young_daly(const Instance& instance, const StrategySpec& spec) {
  const double mean = job_mtbf(instance) * static_cast<double>(instance.processors);
  return strategy_by_advisor(instance, spec, AdvisorRule::young_daly, exponential_law(mean));
}

}  // namespace holdfast::checkpoint
