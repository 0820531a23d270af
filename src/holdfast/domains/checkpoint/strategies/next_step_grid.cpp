#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/strategies/on_grid.hpp"

#include <algorithm>

namespace holdfast::checkpoint {

Made make_next_step_grid(const Instance& instance, const StrategySpec& spec) {
  // C / 10 loses at most 3e-4 of the share saved before a failure.
  const double quantum = spec.has("quantum") ? spec.number("quantum")
                                             : std::min(instance.checkpoint / 10, instance.work);
  return strategy_on_grid(instance, quantum, checkpoints::Goal::share);
}

}  // namespace holdfast::checkpoint
