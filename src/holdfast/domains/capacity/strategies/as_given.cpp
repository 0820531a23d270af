#include "holdfast/domains/capacity/strategies/as_given.hpp"

#include <algorithm>
#include <map>

namespace holdfast::capacity {

AsGiven::AsGiven(ClusterState& cluster) : cluster_{cluster}, arrived_(cluster.tasks().size(), 0) {
  std::map<std::size_t, std::size_t> task_of_job;
  for (std::size_t i = 0; i < cluster.tasks().size(); ++i) task_of_job[cluster.task(i).job] = i;
  for (const Instance::Placement& placement : cluster.instance().given) {
    const auto task = task_of_job.find(placement.job);
    if (task != task_of_job.end())
      lines_.push_back({placement.start, task->second, placement.machine});
  }
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const Line& a, const Line& b) { return a.start < b.start; });
}

void AsGiven::start_planned(std::int64_t now) {
  for (; next_ < lines_.size() && lines_[next_].start <= now; ++next_) {
    const Line& line = lines_[next_];
    // A job that arrives at this very instant starts with its arrival.
    const bool is_here = arrived_[line.task] != 0 || cluster_.task(line.task).arrival == now;
    if (!is_here || !cluster_.is_alive(line.machine) ||
        cluster_.free(line.machine) < cluster_.task(line.task).cores) {
      continue;
    }
    if (arrived_[line.task] == 0) {
      arrived_[line.task] = 1;
      ++waiting_;
    }
    cluster_.start(line.task, line.machine, now);
    --waiting_;
  }
}

void AsGiven::on_arrival(std::size_t task, std::int64_t) {
  if (arrived_[task] != 0) return;
  arrived_[task] = 1;
  ++waiting_;
}

}  // namespace holdfast::capacity
