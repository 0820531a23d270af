#include "holdfast/domains/volatile/strategies/observed.hpp"

#include <cstddef>

namespace holdfast::volatile_workers {

// Larger is better; equal ranks are decided by speed.
double Observed::rank(const Situation& situation, std::size_t worker) const {
  const Worker& its = instance_->workers[worker];
  const double share = static_cast<double>(its.seen_up + situation.up_slots[worker]) /
                       static_cast<double>(instance_->seen_slots + situation.slot + 1);
  switch (prefer_) {
    case Prefer::fastest:
      return 0;
    case Prefer::most_available:
      return share;
    case Prefer::longest_up:
      return static_cast<double>(situation.slot - situation.up_since[worker] +
                                 (situation.up_since[worker] == 0 ? its.up_for : 0));
    case Prefer::threshold:
      return share >= threshold_ ? 1 : 0;
  }
  return 0;
}

bool Observed::build(const Situation& situation, Assignment& assignment) {
  const std::size_t workers = instance_->workers.size();
  assignment.assign(workers, 0);
  for (std::int64_t task = 0; task < instance_->tasks; ++task) {
    std::size_t best = workers;
    double best_rank = 0;
    std::int64_t best_slots = 0;
    for (std::size_t q = 0; q < workers; ++q) {
      const Worker& worker = instance_->workers[q];
      if (situation.states[q] != WorkerState::up || assignment[q] >= worker.max_tasks) continue;
      const double its_rank = rank(situation, q);
      const std::int64_t slots = (assignment[q] + 1) * worker.speed;
      if (best == workers || its_rank > best_rank ||
          (its_rank == best_rank && slots < best_slots)) {
        best = q;
        best_rank = its_rank;
        best_slots = slots;
      }
    }
    if (best == workers) return false;
    ++assignment[best];
  }
  return true;
}

}  // namespace holdfast::volatile_workers
