#include "holdfast/domains/cosched/plan.hpp"
#include "holdfast/domains/cosched/simulate.hpp"

#include <algorithm>

namespace holdfast::cosched {
namespace {

double largest_finish(std::span<const TaskState> tasks, double now) {
  double largest = now;
  for (const TaskState& task : tasks) {
    if (task.running) largest = std::max(largest, task.finish);
  }
  return largest;
}

}  // namespace

Advice advise(const LiveState& state, const Strategy& strategy) {
  const std::vector<TaskTimes> times = task_times(state.instance);
  std::vector<TaskState> tasks = state.tasks;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i].running) continue;
    tasks[i].finish = tasks[i].since + times[i].expected(tasks[i].processors, tasks[i].left);
  }
  Advice advice;
  bool decides = state.completed != kNoTask;
  if (decides) tasks[state.completed] = {.running = false, .finish = state.now};
  if (state.failed_processor) {
    const std::int64_t owner = state.owners.owner(*state.failed_processor);
    const auto i = static_cast<std::size_t>(owner);
    if (owner != Ownership::kIdle && tasks[i].running && state.now >= tasks[i].since) {
      tasks[i] = thrown_back(times[i], tasks[i], state.now, state.instance.downtime);
      advice.faulty = i;
      decides = !strategy.only_when_last || tasks[i].finish >= largest_finish(tasks, state.now);
    }
  }

  advice.expected_makespan_without = largest_finish(tasks, state.now);
  std::int64_t free = state.instance.even_processors();
  for (const TaskState& task : tasks) free -= task.processors;
  RedistributionState redistribution(times, tasks, state.now, advice.faulty, free);
  const Heuristic& heuristic = advice.faulty == kNoTask ? strategy.at_end : strategy.at_failure;
  if (decides && heuristic) heuristic(redistribution);

  const std::vector<TaskState> decided = redistribution.decided();
  advice.expected_makespan = largest_finish(decided, state.now);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    advice.allocation.push_back(decided[i].processors);
    const std::int64_t from = tasks[i].processors, to = decided[i].processors;
    if (from == to) continue;
    advice.moves.push_back(
        {i, from, to, times[i].redistribution(from, to), times[i].checkpoint(to)});
    advice.cost = std::max(advice.cost, redistribution.move_cost(i));
  }
  return advice;
}

}  // namespace holdfast::cosched
