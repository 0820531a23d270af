#include "holdfast/domains/volatile/strategies/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace holdfast::volatile_workers {

bool Random::build(const Situation& situation, Assignment& assignment) {
  assignment.assign(instance_->workers.size(), 0);
  open_.clear();
  std::int64_t room = 0;
  for (std::size_t q = 0; q < instance_->workers.size(); ++q) {
    if (situation.states[q] == WorkerState::up && instance_->workers[q].max_tasks > 0) {
      open_.push_back(q);
      room = std::min(instance_->tasks, room + instance_->workers[q].max_tasks);
    }
  }
  // This comes before anything is drawn: slots without room must not use random numbers, because they may be skipped.
  if (room < instance_->tasks) return false;
  for (std::int64_t task = 0; task < instance_->tasks; ++task) {
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
