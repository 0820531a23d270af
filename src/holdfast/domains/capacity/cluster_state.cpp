#include "holdfast/domains/capacity/cluster_state.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::capacity {

ClusterState::ClusterState(const Instance& instance, std::span<const Task> tasks,
                           std::vector<Execution>* log)
    : instance_{instance},
      tasks_{tasks},
      log_{log},
      cores_(static_cast<std::size_t>(instance.machines), instance.cores),
      free_(cores_.size()),
      alive_(free_.size(), 0),
      running_(free_.size()),
      run_(tasks.size(), 0) {
  auto size = cores_.begin();
  for (const MachineSize& some : instance.sizes)
    size = std::fill_n(size, some.machines, some.cores);
  free_ = cores_;
  next_length_.reserve(tasks.size());
  for (const Task& task : tasks) next_length_.push_back(task.first_length);
  unsaved_length_.reserve(tasks.size());
  for (const Task& task : tasks) unsaved_length_.push_back(task.length);
  if (!instance.saves_runs()) return;
  metrics_.saves = 0;
  metrics_.saving = 0;
}

void ClusterState::set_alive(std::int64_t machine, bool is_alive) {
  char& alive = alive_[static_cast<std::size_t>(machine)];
  alive_count_ += (is_alive ? 1 : 0) - alive;
  alive = is_alive ? 1 : 0;
}

void ClusterState::clear(std::int64_t machine) {
  free_[static_cast<std::size_t>(machine)] = cores(machine);
  running_[static_cast<std::size_t>(machine)].clear();
}

void ClusterState::renew(std::size_t task) {
  next_length_[task] = tasks_[task].first_length;
  unsaved_length_[task] = tasks_[task].length;
}

void ClusterState::start(std::size_t task, std::int64_t machine, std::int64_t now) {
  const auto m = static_cast<std::size_t>(machine);
  const std::int64_t end = now + next_length_[task];
  free_[m] -= tasks_[task].cores;
  // The author's program starts planned jobs before it ends the runs that make room for them at the same instant.
  assert((free_[m] >= 0 || instance_.profile == Profile::author) && alive_[m] != 0);
  running_[m].push_back({task, now, end});
  const bool by_machine = instance_.profile == Profile::author;
  ends_.push({end, by_machine ? machine : 0, task, machine, run_[task]});
}

void ClusterState::drop_stale() {
  while (!ends_.empty() && ends_.top().run != run_[ends_.top().task]) ends_.pop();
}

std::int64_t ClusterState::next_end() {
  drop_stale();
  return ends_.empty() ? kNever : ends_.top().time;
}

ClusterState::Ended ClusterState::end_one(std::int64_t now) {
  const End end = ends_.top();
  ends_.pop();
  assert(end.time == now);
  const auto m = static_cast<std::size_t>(end.machine);
  const auto run = std::find_if(running_[m].begin(), running_[m].end(),
                                [&](const Running& r) { return r.task == end.task; });
  const Task& task = tasks_[end.task];
  metrics_.useful += (now - run->start) * task.cores;
  ++metrics_.completed;
  const double stretch = static_cast<double>(now - task.release) / static_cast<double>(task.length);
  metrics_.largest_stretch = std::max(metrics_.largest_stretch, stretch);
  metrics_.sum_of_stretch += stretch;
  last_completion_ = now;
  log(end.task, end.machine, run->start, now, Execution::Outcome::completed);
  free_[m] += task.cores;
  running_[m].erase(run);
  ++run_[end.task];
  return {end.task, end.machine};
}

void ClusterState::kill_all(std::int64_t machine, std::int64_t now,
                            std::vector<std::size_t>& killed) {
  const auto m = static_cast<std::size_t>(machine);
  const std::int64_t saving = instance_.saves_runs() ? *instance_.checkpoint : kNever;
  for (const Running& run : running_[m]) {
    const Task& task = tasks_[run.task];
    free_[m] += task.cores;
    ++run_[run.task];
    killed.push_back(run.task);
    if (now - run.start > saving) {
      const std::int64_t computed = now - run.start - saving;
      metrics_.useful += computed * task.cores;
      *metrics_.saving += saving * task.cores;
      ++*metrics_.saves;
      next_length_[run.task] -= computed;
      unsaved_length_[run.task] = next_length_[run.task];
      log(run.task, machine, run.start, now, Execution::Outcome::saved);
      continue;
    }
    metrics_.aborted += (now - run.start) * task.cores;
    metrics_.aborted_time += now - run.start;
    ++metrics_.kills;
    next_length_[run.task] = unsaved_length_[run.task];
    log(run.task, machine, run.start, now, Execution::Outcome::killed);
  }
  running_[m].clear();
}

Metrics ClusterState::close(std::int64_t waiting, std::int64_t dropped) {
  const std::int64_t end = instance_.end;
  for (std::size_t m = 0; m < running_.size(); ++m) {
    for (const Running& run : running_[m]) {
      metrics_.useful += (end - run.start) * tasks_[run.task].cores;
      ++metrics_.running;
      log(run.task, static_cast<std::int64_t>(m), run.start, end, Execution::Outcome::running);
    }
  }
  for (const AliveSpan& span : instance_.powered_spans()) {
    metrics_.capacity += (span.end - span.begin) * instance_.cores_on(span.machines);
  }
  metrics_.waiting = waiting;
  metrics_.dropped = dropped;
  if (metrics_.completed == static_cast<std::int64_t>(tasks_.size()))
    metrics_.makespan = last_completion_;
  return metrics_;
}

void ClusterState::log(std::size_t task, std::int64_t machine, std::int64_t start, std::int64_t end,
                       Execution::Outcome outcome) {
  if (log_ != nullptr) log_->push_back({task, machine, start, end, outcome});
}

}  // namespace holdfast::capacity
