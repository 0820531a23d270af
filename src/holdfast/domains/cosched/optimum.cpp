#include "holdfast/domains/cosched/plan.hpp"
#include "holdfast/domains/cosched/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

namespace holdfast::cosched {
namespace {

// With more tasks than this a decision takes longer, so fewer decisions are examined.
constexpr std::int64_t kFewTasks = 8;

std::int64_t affordable(std::int64_t decisions, std::int64_t tasks) {
  return decisions * kFewTasks / std::max(kFewTasks, tasks);
}

// A depth-first search over every allocation at the start and at every completion.
class Search {
 public:
  Search(const Instance& instance, std::int64_t limit)
      : processors_{instance.even_processors()},
        times_{task_times(instance)},
        limit_{affordable(limit, std::ssize(times_))} {
    for (const TaskTimes& times : times_) {
      double least = std::numeric_limits<double>::infinity();
      for (std::int64_t j = 2; j <= processors_; j += 2) least = std::min(least, times.time(j));
      least_time_.push_back(least);
    }
  }

  Result<Optimum> run() {
    Allocation start(times_.size(), 2);
    const std::vector<char> movable(start.size(), 1);
    const auto free = processors_ - static_cast<std::int64_t>(2 * start.size());
    each_allocation(start, movable, 0, free, [&] {
      const double before = best_.makespan;
      follow(initial_states(times_, start));
      if (best_.makespan < before) best_.initial = start;
    });
    if (best_.explored > limit_) {
      return fail(
          ErrorCode::infeasible, "",
          fmt::format(
              "the search stopped after {} decisions: this instance is too large for an exact "
              "optimum (about 4 tasks and 12 processors are fine)",
              limit_));
    }
    return best_;
  }

 private:
  // Calls visit() for every way to add up to `free` processors, in pairs, to the movable tasks from `i` on.
  void each_allocation(Allocation& allocation, const std::vector<char>& movable, std::size_t i,
                       std::int64_t free, const std::function<void()>& visit) {
    if (best_.explored > limit_) return;
    if (i == allocation.size()) {
      ++best_.explored;
      return visit();
    }
    const std::int64_t least = allocation[i];
    for (std::int64_t extra = 0; extra <= (movable[i] != 0 ? free : 0); extra += 2) {
      allocation[i] = least + extra;
      each_allocation(allocation, movable, i + 1, free - extra, visit);
    }
    allocation[i] = least;
  }

  void follow(std::vector<TaskState> states) {
    double now = std::numeric_limits<double>::infinity();
    double bound = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!states[i].running) continue;
      now = std::min(now, states[i].finish);
      bound = std::max(bound, states[i].since + states[i].left * least_time_[i]);
    }
    if (bound >= best_.makespan) return;
    bool is_running = false;
    for (TaskState& task : states) {
      if (task.running && task.finish == now) task = {.running = false, .finish = now};
      is_running = is_running || task.running;
    }
    if (!is_running) {
      best_.makespan = std::min(best_.makespan, now);
      return;
    }
    branch(states, now);
  }

  void branch(const std::vector<TaskState>& states, double now) {
    // Tasks that cannot move keep their processors; for the others the enumeration starts from one pair.
    Allocation allocation(states.size(), 0);
    std::vector<char> movable(states.size(), 0);
    std::int64_t free = processors_;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!states[i].running) continue;
      movable[i] = now > states[i].since ? 1 : 0;
      allocation[i] = movable[i] != 0 ? 2 : states[i].processors;
      free -= allocation[i];
    }
    each_allocation(allocation, movable, 0, free, [&] {
      std::int64_t used = 0;
      for (const TaskState& task : states) used += task.processors;
      RedistributionState state(times_, states, now, kNoTask, processors_ - used);
      // Shrink first, so that the processors that others take are free.
      for (std::size_t i = 0; i < states.size(); ++i) {
        if (allocation[i] < states[i].processors && states[i].running) state.set(i, allocation[i]);
      }
      for (std::size_t i = 0; i < states.size(); ++i) {
        if (allocation[i] > states[i].processors && states[i].running) state.set(i, allocation[i]);
      }
      follow(state.decided());
    });
  }

  std::int64_t processors_;
  std::vector<TaskTimes> times_;
  std::vector<double> least_time_;
  std::int64_t limit_;
  Optimum best_{.makespan = std::numeric_limits<double>::infinity(), .initial = {}, .explored = 0};
};

}  // namespace

Result<Optimum> optimum(const Instance& instance, std::int64_t limit) {
  if (!instance.fault_free) {
    return fail(ErrorCode::bad_value, "/fault_free",
                "found an instance with failures, expected a fault-free one (--fault-free)");
  }
  return Search(instance, limit).run();
}

}  // namespace holdfast::cosched
