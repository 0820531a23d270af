#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/strategies/equal_segments.hpp"

namespace holdfast::checkpoint {

Made make_young_daly(const Instance& instance, const StrategySpec& spec) {
  return segments_of_period(instance, usual_period(instance, mtbf_for(instance, spec)));
}

}  // namespace holdfast::checkpoint
