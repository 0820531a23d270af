#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/strategies/equal_segments.hpp"
#include "holdfast/models/resilience/period.hpp"

namespace holdfast::checkpoint {

Made make_daly(const Instance& instance, const StrategySpec& spec) {
  const double cost = planned_checkpoint(instance.checkpoint, instance.late);
  return segments_of_period(instance, daly_period(cost, mtbf_for(instance, spec)));
}

}  // namespace holdfast::checkpoint
