#include "holdfast/algorithms/optimal_schedule.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace holdfast {
namespace {

struct Option {
  std::int64_t processors;
  double time;
};

struct Running {
  double end;
  std::int64_t processors;
};

constexpr std::int64_t kFewTasks = 8;

std::int64_t affordable(std::int64_t steps, std::int64_t tasks) {
  return steps / std::max(kFewTasks, tasks) * kFewTasks;
}

class Search {
 public:
  Search(std::int64_t processors, std::span<const SearchTask> tasks, double upper,
         std::int64_t most_steps)
      : processors_{processors},
        tasks_{tasks},
        best_{.makespan = upper, .tasks = {}},
        steps_left_{affordable(most_steps, std::ssize(tasks))},
        options_(tasks.size()),
        tails_(tasks.size(), -1.0),
        least_areas_(tasks.size()),
        children_(tasks.size()),
        waits_for_(tasks.size()),
        ready_(tasks.size(), 0.0),
        is_placed_(tasks.size(), false) {
    for (std::size_t task = 0; task < tasks.size(); ++task) {
      list_options(task);
      waits_for_[task] = tasks[task].parents.size();
      ready_[task] = tasks[task].release;
      for (const std::size_t parent : tasks[task].parents) children_[parent].push_back(task);
      area_left_ += least_areas_[task];
    }
    for (std::size_t task = 0; task < tasks.size(); ++task) tail(task);
  }

  std::optional<OptimalSchedule> run() {
    branch(0, tasks_.size());
    if (steps_left_ < 0) return std::nullopt;
    return best_;
  }

 private:
  // Lists the numbers of processors worth trying: those that are faster than all smaller numbers.
  void list_options(std::size_t task) {
    const auto& times = tasks_[task].times;
    assert(!times.empty());
    double least = std::numeric_limits<double>::infinity();
    double area = least;
    const auto most = std::min(times.size(), static_cast<std::size_t>(processors_));
    for (std::size_t p = 1; p <= most; ++p) {
      const double time = times[p - 1];
      area = std::min(area, static_cast<double>(p) * time);
      if (time >= least) continue;
      least = time;
      options_[task].push_back({static_cast<std::int64_t>(p), time});
    }
    least_areas_[task] = area;
  }

  // Returns the length of the longest path from the start of a task to the end, with each task at its fastest.
  double tail(std::size_t task) {
    if (tails_[task] >= 0) return tails_[task];
    double longest = 0;
    for (const std::size_t child : children_[task]) longest = std::max(longest, tail(child));
    return tails_[task] = longest + options_[task].back().time;
  }

  [[nodiscard]] bool is_hopeless(double bound) const {
    return bound >= best_.makespan * (1 - 1e-12);
  }

  // Returns a lower bound on the makespan of all schedules that continue this one. `now` is the last start: nothing starts
  // before it, so the capacity that is idle until then is lost.
  [[nodiscard]] double bound(double now) const {
    double area = area_left_;
    double longest = 0;
    for (const Running& running : running_) {
      longest = std::max(longest, running.end);
      if (running.end > now) area += (running.end - now) * static_cast<double>(running.processors);
    }
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      if (!is_placed_[task])
        longest = std::max(longest, std::max(now, ready_[task]) + tails_[task]);
    }
    return std::max(longest, now + area / static_cast<double>(processors_));
  }

  // Returns the first time, not before `from`, at which that many processors are free. All placed tasks start at or before
  // `from`, so the number of free processors only grows.
  [[nodiscard]] double first_fit(double from, std::int64_t processors) const {
    for (double time = from;;) {
      std::int64_t free = processors_;
      double next = std::numeric_limits<double>::infinity();
      for (const Running& running : running_) {
        if (running.end <= time) continue;
        free -= running.processors;
        next = std::min(next, running.end);
      }
      if (free >= processors) return time;
      time = next;
    }
  }

  [[nodiscard]] bool is_child_of(std::size_t task, std::size_t parent) const {
    const auto& parents = tasks_[task].parents;
    return std::ranges::find(parents, parent) != parents.end();
  }

  // Returns true if a ready task of the same kind has already been tried here.
  [[nodiscard]] bool is_repeated(std::size_t task) const {
    for (std::size_t other = 0; other < task; ++other) {
      if (!is_placed_[other] && waits_for_[other] == 0 && ready_[other] == ready_[task] &&
          tasks_[other].kind == tasks_[task].kind) {
        return true;
      }
    }
    return false;
  }

  void branch(double now, std::size_t last) {
    if (steps_left_ < 0) return;
    if (schedule_.size() == tasks_.size()) {
      double makespan = 0;
      for (const Running& running : running_) makespan = std::max(makespan, running.end);
      if (!is_hopeless(makespan)) best_ = {makespan, schedule_};
      return;
    }
    for (std::size_t task = 0; task < tasks_.size() && steps_left_ >= 0; ++task) {
      if (is_placed_[task] || waits_for_[task] > 0 || is_repeated(task)) continue;
      for (auto option = options_[task].rbegin(); option != options_[task].rend(); ++option) {
        if (--steps_left_ < 0) return;
        const double start = first_fit(std::max(now, ready_[task]), option->processors);
        // Of two tasks that start together, the one with the lower number is placed first, unless it waits for the other.
        if (start == now && last < tasks_.size() && task < last && !is_child_of(task, last)) {
          continue;
        }
        place(task, *option, start);
        if (!is_hopeless(bound(start))) branch(start, task);
        take_back(task);
      }
    }
  }

  void place(std::size_t task, const Option& option, double start) {
    const double end = start + option.time;
    is_placed_[task] = true;
    area_left_ -= least_areas_[task];
    running_.push_back({end, option.processors});
    schedule_.push_back({task, option.processors, start});
    for (const std::size_t child : children_[task]) {
      --waits_for_[child];
      saved_ready_.push_back(ready_[child]);
      ready_[child] = std::max(ready_[child], end);
    }
  }

  void take_back(std::size_t task) {
    is_placed_[task] = false;
    area_left_ += least_areas_[task];
    running_.pop_back();
    schedule_.pop_back();
    const auto& children = children_[task];
    for (std::size_t k = children.size(); k-- > 0;) {
      ++waits_for_[children[k]];
      ready_[children[k]] = saved_ready_.back();
      saved_ready_.pop_back();
    }
  }

  std::int64_t processors_;
  std::span<const SearchTask> tasks_;
  OptimalSchedule best_;
  std::int64_t steps_left_;

  std::vector<std::vector<Option>> options_;  ///< [tasks] slowest first
  std::vector<double> tails_;
  std::vector<double> least_areas_;
  std::vector<std::vector<std::size_t>> children_;

  std::vector<std::size_t> waits_for_;  ///< [tasks] parents not yet placed
  std::vector<double> ready_;           ///< [tasks] release, or latest end of a placed parent
  std::vector<bool> is_placed_;
  std::vector<Running> running_;  ///< in order of start
  std::vector<PlacedTask> schedule_;
  std::vector<double> saved_ready_;
  double area_left_ = 0;
};

}  // namespace

std::optional<OptimalSchedule> optimal_schedule(std::int64_t processors,
                                                std::span<const SearchTask> tasks, double upper,
                                                std::int64_t most_steps) {
  return Search(processors, tasks, upper, most_steps).run();
}

}  // namespace holdfast
