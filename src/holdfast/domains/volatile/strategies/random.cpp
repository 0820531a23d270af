#include "holdfast/domains/volatile/strategies/random.hpp"

#include <cstddef>

namespace holdfast::volatile_workers {

bool Random::build(const Situation& situation, Assignment& assignment) {
  assignment.assign(instance_->workers.size(), 0);
  open_.clear();
  for (std::size_t q = 0; q < instance_->workers.size(); ++q) {
    if (situation.states[q] == WorkerState::up && instance_->workers[q].max_tasks > 0) {
      open_.push_back(q);
    }
  }
  for (std::int64_t task = 0; task < instance_->tasks; ++task) {
    if (open_.empty()) return false;
    const auto place =
        static_cast<std::size_t>(stream_.integer(0, static_cast<std::int64_t>(open_.size()) - 1));
    const std::size_t q = open_[place];
    if (++assignment[q] == instance_->workers[q].max_tasks) {
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }
  return true;
}

}  // namespace holdfast::volatile_workers
