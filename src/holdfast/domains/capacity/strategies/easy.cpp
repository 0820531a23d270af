#include "holdfast/domains/capacity/strategies/easy.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace holdfast::capacity {

void Easy::waits(std::size_t task, std::int64_t now) {
  if (machine_ != kNone) return;
  const std::int64_t cores = cluster().task(task).cores;
  std::vector<std::pair<std::int64_t, std::int64_t>> ends;  // of the runs there, with their cores
  for (std::int64_t machine = 0; machine < cluster().instance().machines; ++machine) {
    if (!cluster().is_alive(machine)) continue;
    ends.clear();
    for (const ClusterState::Running& run : cluster().running(machine))
      ends.emplace_back(run.end, cluster().task(run.task).cores);
    std::sort(ends.begin(), ends.end());
    std::int64_t start = now, free = cluster().free(machine);
    for (std::size_t i = 0; i < ends.size() && (free < cores || ends[i].first == start); ++i) {
      start = ends[i].first;
      free += ends[i].second;
    }
    if (free < cores || (machine_ != kNone && start >= start_)) continue;
    if (!known_.spares(machine, start, cluster().next_length(task), now)) continue;
    machine_ = machine;
    start_ = start;
    spare_ = free - cores;
  }
}

bool Easy::may_start(std::size_t task, std::int64_t machine, std::int64_t now) const {
  if (!QueueScan::may_start(task, machine, now)) return false;
  if (machine != machine_) return true;
  return now + cluster().next_length(task) <= start_ || cluster().task(task).cores <= spare_;
}

void Easy::started(std::size_t task, std::int64_t machine, std::int64_t now) {
  if (machine != machine_ || now + cluster().next_length(task) <= start_) return;
  spare_ -= cluster().task(task).cores;
}

}  // namespace holdfast::capacity
