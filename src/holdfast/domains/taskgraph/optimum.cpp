#include "holdfast/domains/taskgraph/optimum.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies/earliest_completion.hpp"
#include "holdfast/domains/taskgraph/strategies/min_area.hpp"
#include "holdfast/domains/taskgraph/strategies/min_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace holdfast::taskgraph {
namespace {

constexpr std::size_t kMostAttempts = 64;
constexpr std::int64_t kMostTimes = std::int64_t{1} << 20;

// One attempt of one task, as a task of the search.
struct Copy {
  TaskIndex task;
  std::uint32_t number;
};

/// The problem with every attempt as a task of its own, in a chain with the other attempts of its task.
struct Expanded {
  std::vector<Copy> copies;
  std::vector<SearchTask> tasks;
};

Expanded expand(const Instance& instance, std::span<const std::int64_t> failures) {
  Expanded out;
  std::vector<std::size_t> last(instance.size());
  for (const TaskIndex task : instance.graph.order()) {
    const Speedup& speedup = instance.tasks[task];
    std::vector<double> times;
    for (std::int64_t p = 1; p <= speedup.fastest(instance.processors); ++p) {
      times.push_back(speedup.time(p));
    }
    const std::int64_t failed = failures.empty() ? 0 : failures[task];
    for (std::int64_t number = 1; number <= failed + 1; ++number) {
      SearchTask copy{.times = times,
                      .parents = {},
                      .kind = out.tasks.size(),
                      .release = instance.release(task)};
      if (number > 1) {
        copy.parents = {out.tasks.size() - 1};
      } else {
        for (const TaskIndex parent : instance.graph.parents(task)) {
          copy.parents.push_back(last[parent]);
        }
      }
      last[task] = out.tasks.size();
      out.tasks.push_back(std::move(copy));
      out.copies.push_back({task, static_cast<std::uint32_t>(number)});
    }
  }
  return out;
}

Optimum best_simple(const Instance& instance, std::span<const std::int64_t> failures) {
  std::vector<std::unique_ptr<Strategy>> strategies;
  strategies.push_back(std::make_unique<EarliestCompletion>(instance));
  strategies.push_back(std::make_unique<MinTime>(instance, QueueOrder::bottom_level));
  strategies.push_back(std::make_unique<MinArea>(instance, QueueOrder::bottom_level));
  Optimum best;
  for (const auto& strategy : strategies) {
    Schedule schedule;
    const double makespan = simulate(instance, *strategy, failures, &schedule).makespan;
    if (best.schedule.empty() || makespan < best.makespan) best = {makespan, std::move(schedule)};
  }
  return best;
}

Status check_size(const Instance& instance, std::span<const std::int64_t> failures) {
  const auto attempts =
      std::accumulate(failures.begin(), failures.end(), static_cast<std::int64_t>(instance.size()));
  if (attempts > static_cast<std::int64_t>(kMostAttempts)) {
    return fail(ErrorCode::infeasible, "",
                fmt::format("{} attempts are too many for an exact search, expected at most {}",
                            attempts, kMostAttempts));
  }
  std::int64_t times = 0;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    times += instance.tasks[task].fastest(instance.processors) *
             (failures.empty() ? 1 : failures[task] + 1);
    if (times > kMostTimes) {
      return fail(
          ErrorCode::infeasible, "",
          fmt::format("{} processors are too many for an exact search", instance.processors));
    }
  }
  return {};
}

}  // namespace

Result<Optimum> optimum(const Instance& instance, std::span<const std::int64_t> failures,
                        std::int64_t most_steps) {
  HOLDFAST_CHECK(check_size(instance, failures));
  Optimum best = best_simple(instance, failures);
  const Expanded expanded = expand(instance, failures);
  const auto found =
      optimal_schedule(instance.processors, expanded.tasks, best.makespan, most_steps);
  if (!found) {
    return fail(ErrorCode::infeasible, "",
                fmt::format("the search is too large to finish: not done after {}; give fewer "
                            "tasks or processors ('simulate' has a bound for any size)",
                            counted(most_steps, "step")));
  }
  if (found->tasks.empty()) return best;  // a simple strategy is optimal
  best.makespan = found->makespan;
  best.schedule.clear();
  for (const PlacedTask& placed : found->tasks) {
    const auto [task, number] = expanded.copies[placed.task];
    best.schedule.push_back(
        {.task = task,
         .number = number,
         .start = placed.start,
         .end = placed.start + instance.tasks[task].time(placed.processors),
         .processors = placed.processors,
         .failed = !failures.empty() && static_cast<std::int64_t>(number) <= failures[task]});
  }
  return best;
}

}  // namespace holdfast::taskgraph
