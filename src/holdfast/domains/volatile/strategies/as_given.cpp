#include "holdfast/domains/volatile/strategies/as_given.hpp"

#include <cstddef>

namespace holdfast::volatile_workers {

bool AsGiven::build(const Situation& situation, Assignment& assignment) {
  for (std::size_t q = 0; q < instance_->assignment.size(); ++q) {
    if (instance_->assignment[q] > 0 && situation.states[q] != WorkerState::up) return false;
  }
  assignment = instance_->assignment;
  return true;
}

}  // namespace holdfast::volatile_workers
