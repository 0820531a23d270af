#include "holdfast/domains/volatile/strategies/greedy.hpp"

#include <algorithm>
#include <cstddef>

namespace holdfast::volatile_workers {

bool Greedy::build(const Situation& situation, Assignment& assignment) {
  const Instance& instance = evaluator_->instance();
  const auto workers = static_cast<std::uint32_t>(instance.workers.size());
  assignment.assign(workers, 0);
  needs_.assign(workers, 0);
  members_.clear();
  std::uint32_t set = SetTable::kEmpty;
  std::int64_t workload = 0;
  for (std::int64_t task = 0; task < instance.tasks; ++task) {
    std::uint32_t best = workers;
    double best_score = 0;
    for (std::uint32_t q = 0; q < workers; ++q) {
      const Worker& worker = instance.workers[q];
      if (situation.states[q] != WorkerState::up || assignment[q] >= worker.max_tasks) continue;
      const std::int64_t tasks = assignment[q] + 1;
      const std::int64_t need_before = needs_[q];
      needs_[q] = situation.program_left[q] +
                  std::max<std::int64_t>(0, tasks * instance.data_slots - situation.data_held[q]);
      grown_ = members_;
      if (tasks == 1) grown_.insert(std::lower_bound(grown_.begin(), grown_.end(), q), q);
      const ConfigurationValue value = evaluator_->value(
          {.members = grown_,
           .needs = needs_,
           .workload = std::max(workload, tasks * worker.speed)},
          evaluator_->sets().values(evaluator_->sets().with(set, q)), what_to_ask(criterion_));
      needs_[q] = need_before;
      const double its_score = score(criterion_, value, situation.elapsed);
      if (best == workers || its_score > best_score) {
        best = q;
        best_score = its_score;
      }
    }
    if (best == workers) return false;
    const std::int64_t tasks = ++assignment[best];
    needs_[best] =
        situation.program_left[best] +
        std::max<std::int64_t>(0, tasks * instance.data_slots - situation.data_held[best]);
    workload = std::max(workload, tasks * instance.workers[best].speed);
    if (tasks == 1) {
      members_.insert(std::lower_bound(members_.begin(), members_.end(), best), best);
      set = evaluator_->sets().with(set, best);
    }
  }
  return true;
}

}  // namespace holdfast::volatile_workers
