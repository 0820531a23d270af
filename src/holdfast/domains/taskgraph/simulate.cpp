#include "holdfast/domains/taskgraph/simulate.hpp"

#include "holdfast/algorithms/completions.hpp"
#include "holdfast/algorithms/list_schedule.hpp"
#include "holdfast/algorithms/pending.hpp"
#include "holdfast/math/sum.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <vector>

namespace holdfast::taskgraph {
namespace {

/// The mark of a task that is held back: it takes no processors, and ends when the task may go on.
constexpr std::uint32_t kHeld = std::uint32_t{1} << 31;

/// The progress of all tasks: the part of a run that both disciplines share.
class Progress {
 public:
  Progress(const Instance& instance, std::span<const std::int64_t> failures, const Strikes* strikes)
      : graph_{instance.graph}, failures_{failures}, waiting_(instance.size()) {
    for (std::size_t task = 0; task < waiting_.size(); ++task) {
      waiting_[task] = static_cast<std::uint32_t>(graph_.parents(task).size());
    }
    if (!failures.empty() || strikes != nullptr) failed_.assign(instance.size(), 0);
    if (strikes == nullptr) return;
    strikes_ = *strikes;
    fails_.assign(instance.size(), false);
  }

  /// Adds the tasks without parents to `available`.
  void add_sources(std::vector<TaskIndex>& available) const {
    for (std::size_t task = 0; task < waiting_.size(); ++task) {
      if (waiting_[task] == 0) available.push_back(static_cast<TaskIndex>(task));
    }
  }

  /// Returns the number of a task's current attempt, from 1.
  [[nodiscard]] std::uint32_t attempt(std::size_t task) const {
    return failed_.empty() ? 1 : failed_[task] + 1;
  }
  /// Begins an attempt, and returns how long it lasts. @param time  seconds without errors
  double begin(std::size_t task, std::int64_t processors, double time) {
    if (!strikes_) return time;
    fails_[task] = strikes_->fails(task, processors, time);
    return strikes_->duration(task, processors, time);
  }
  [[nodiscard]] bool will_fail(std::size_t task) const {
    if (strikes_) return fails_[task];
    return !failed_.empty() && failed_[task] < failures_[task];
  }

  /// Ends one attempt: adds to `available` the task itself, to be tried again, or the tasks that
  /// waited only for it.
  void complete(TaskIndex task, std::vector<TaskIndex>& available) {
    if (will_fail(task)) {
      ++failed_[task];
      if (strikes_) strikes_->advance(task);
      available.push_back(task);
      return;
    }
    for (const TaskIndex child : graph_.children(task)) {
      if (--waiting_[child] == 0) available.push_back(child);
    }
  }

 private:
  const Dag& graph_;
  std::span<const std::int64_t> failures_;
  std::vector<std::uint32_t> waiting_;  ///< [n] parents that have not completed
  std::vector<std::uint32_t> failed_;   ///< [n] failed attempts so far; empty if none fails
  std::optional<Strikes> strikes_;
  std::vector<bool> fails_;  ///< [n] whether the attempt that runs is struck; empty without strikes
};

/// A count of the attempts, and a record of them if it is wanted.
class Recorder {
 public:
  Recorder(const Progress& progress, Schedule* schedule)
      : progress_{progress}, schedule_{schedule} {}

  void add(TaskIndex task, double start, double end, std::int64_t processors) {
    ++attempts_;
    busy_ += static_cast<double>(processors) * (end - start);
    if (schedule_ == nullptr) return;
    schedule_->push_back({.task = task,
                          .number = progress_.attempt(task),
                          .start = start,
                          .end = end,
                          .processors = processors,
                          .failed = progress_.will_fail(task)});
  }
  [[nodiscard]] std::int64_t attempts() const { return attempts_; }
  [[nodiscard]] double busy() const { return busy_.value(); }

 private:
  const Progress& progress_;
  Schedule* schedule_;
  std::int64_t attempts_ = 0;
  CompensatedSum busy_;
};

std::size_t count_attempts(const Instance& instance, std::span<const std::int64_t> failures) {
  return std::accumulate(
      failures.begin(), failures.end(), instance.size(),
      [](std::size_t sum, std::int64_t f) { return sum + static_cast<std::size_t>(f); });
}

/// What an online rule knows while a graph unfolds.
class Knowledge {
 public:
  Knowledge(const Instance& instance, const LeastCosts& costs)
      : instance_{instance}, costs_{costs}, paths_(instance.size()) {}

  /// Adds an attempt of a task that has become available.
  const Known& arrive(TaskIndex task) {
    area_ += costs_.areas[task];
    double before = std::max(paths_[task], instance_.release(task));  // its last attempt, or none
    for (const TaskIndex parent : instance_.graph.parents(task)) {
      before = std::max(before, paths_[parent]);
    }
    paths_[task] = before + costs_.times[task];
    known_.bounds.area = area_.value() / static_cast<double>(instance_.processors);
    known_.bounds.critical_path = std::max(known_.bounds.critical_path, paths_[task]);
    return known_;
  }
  void launch(double extra_area) { known_.extra_area += extra_area; }

 private:
  const Instance& instance_;
  const LeastCosts& costs_;
  std::vector<double> paths_;  ///< [n] longest path of least times that ends with the task
  CompensatedSum area_;
  Known known_;
};

/// The client of the list scheduling kernel. A slot is a place in the queue: the rank of the task,
/// or under fifo the number of its arrival. A slot with kHeld holds a task that may not join the
/// queue yet.
class ListRun {
 public:
  ListRun(const Instance& instance, const Strategy& strategy, const Plan& plan, Progress& progress,
          Recorder& recorder)
      : instance_{instance},
        strategy_{strategy},
        allocations_{plan.allocations},
        durations_{plan.durations},
        ranks_{plan.ranks},
        plan_{plan},
        progress_{progress},
        recorder_{recorder} {}

  /// @param attempts  number of attempts of all tasks together, or a guess
  double run(std::size_t attempts) {
    PendingTree pending(ranks_.empty() ? attempts : instance_.size());
    if (ranks_.empty()) {
      tasks_.reserve(attempts);
    } else {
      tasks_.resize(instance_.size());
      for (std::size_t task = 0; task < tasks_.size(); ++task) {
        tasks_[ranks_[task]] = static_cast<TaskIndex>(task);
      }
    }
    if (strategy_.decides_at_arrivals()) make_own_decisions();
    progress_.add_sources(available_);
    settle(pending, 0);
    return list_schedule(static_cast<std::uint32_t>(instance_.processors), pending, running_, *this)
        .end;
  }

  double start(std::uint32_t slot, double now) {
    const TaskIndex task = tasks_[slot];
    const double end = now + progress_.begin(task, allocations_[task], durations_[task]);
    recorder_.add(task, now, end, allocations_[task]);
    return end;
  }

  std::uint32_t processors(std::uint32_t slot) const {
    return (slot & kHeld) != 0 ? 0 : allocations_[tasks_[slot]];
  }

  void complete(PendingTree&, std::uint32_t slot, double) {
    if ((slot & kHeld) != 0) {
      available_.push_back(slot & ~kHeld);
    } else {
      progress_.complete(tasks_[slot], available_);
    }
  }

  void settle(PendingTree& pending, double now) {
    // One completion releases its children in increasing order: only several at once need a sort.
    if (!std::is_sorted(available_.begin(), available_.end())) std::ranges::sort(available_);
    for (const TaskIndex task : available_) {
      const double earliest = earliest_start(task, now);
      if (earliest > now) {
        running_.push(earliest, task | kHeld);
        continue;
      }
      if (!own_durations_.empty()) decide(task, now);
      pending.insert(slot_for(pending, task), allocations_[task]);
    }
    available_.clear();
  }

 private:
  std::uint32_t slot_for(PendingTree& pending, TaskIndex task) {
    if (!ranks_.empty()) return ranks_[task];
    tasks_.push_back(task);
    if (tasks_.size() > pending.slots()) pending.grow(2 * tasks_.size());
    return static_cast<std::uint32_t>(tasks_.size() - 1);
  }

  void make_own_decisions() {
    own_allocations_.assign(allocations_.begin(), allocations_.end());
    own_durations_.assign(durations_.begin(), durations_.end());
    allocations_ = own_allocations_;
    durations_ = own_durations_;
    knowledge_.emplace(instance_, plan_.costs);
  }

  [[nodiscard]] Arrival arrival_of(TaskIndex task, double now) const {
    return {.task = task,
            .speedup = instance_.tasks[task],
            .attempt = progress_.attempt(task),
            .now = now};
  }
  [[nodiscard]] double earliest_start(TaskIndex task, double now) const {
    const double release = instance_.release(task);
    if (own_durations_.empty()) return release;
    return std::max(release, strategy_.earliest_start(arrival_of(task, now)));
  }

  // Decides on a task's current attempt.
  void decide(TaskIndex task, double now) {
    Arrival arrival = arrival_of(task, now);
    arrival.known = &knowledge_->arrive(task);
    const std::int64_t processors = plan_.allowed(task, strategy_.allocate(arrival));
    knowledge_->launch(strategy_.extra_area(arrival, processors));
    own_allocations_[task] = static_cast<std::uint32_t>(processors);
    own_durations_[task] = arrival.speedup.time(processors);
  }

  const Instance& instance_;
  const Strategy& strategy_;
  std::span<const std::uint32_t> allocations_;  ///< [n] those of the plan, or own_allocations_
  std::span<const double> durations_;           ///< [n]
  std::span<const std::uint32_t> ranks_;        ///< [n], or empty: fifo
  std::vector<std::uint32_t> own_allocations_;  ///< [n] if decided at arrivals, else empty
  std::vector<double> own_durations_;
  const Plan& plan_;
  std::optional<Knowledge> knowledge_;  ///< if decided at arrivals
  Progress& progress_;
  Recorder& recorder_;
  Completions running_;
  std::vector<TaskIndex> tasks_;      ///< by slot
  std::vector<TaskIndex> available_;  ///< tasks available since the last settle()
};

double run_placed(const Instance& instance, const Strategy& strategy, const Plan& plan,
                  Progress& progress, Recorder& recorder) {
  FreeTimes free_times(instance.processors);
  Completions running;
  std::vector<TaskIndex> available;
  progress.add_sources(available);
  double now = 0;
  for (;;) {
    std::ranges::sort(available);
    free_times.forget_before(now);
    for (const TaskIndex task : available) {
      if (const double release = instance.release(task); release > now) {
        running.push(release, task | kHeld);
        continue;
      }
      const Speedup& speedup = instance.tasks[task];
      const std::int64_t chosen = strategy.allocate({.task = task,
                                                     .speedup = speedup,
                                                     .attempt = progress.attempt(task),
                                                     .now = now,
                                                     .free_times = &free_times});
      const std::int64_t processors = plan.allowed(task, chosen);
      const double start = std::max(now, free_times.when_free(processors));
      const double time = speedup.time(processors);
      free_times.take(processors, start + time);  // nothing moves up if an error ends it sooner
      const double end = start + progress.begin(task, processors, time);
      recorder.add(task, start, end, processors);
      running.push(end, task);
    }
    available.clear();
    if (running.empty()) return now;
    now = running.next();
    do {
      const std::uint32_t task = running.pop();
      if ((task & kHeld) != 0) {
        available.push_back(task & ~kHeld);
      } else {
        progress.complete(task, available);
      }
    } while (!running.empty() && running.next() == now);
  }
}

std::optional<double> quotient(double a, double b) {
  return b > 0 ? std::optional(a / b) : std::nullopt;
}

}  // namespace

Metrics simulate(const Instance& instance, const Strategy& strategy, const Plan& plan,
                 std::span<const std::int64_t> failures, Schedule* schedule,
                 const Strikes* strikes) {
  assert(failures.empty() || failures.size() == instance.size());
  Progress progress(instance, failures, strikes);
  Recorder recorder(progress, schedule);
  Metrics metrics;
  if (strategy.discipline() == Discipline::place) {
    metrics.makespan = run_placed(instance, strategy, plan, progress, recorder);
    if (schedule != nullptr) {
      std::ranges::stable_sort(*schedule, {}, [](const Attempt& attempt) { return attempt.start; });
    }
  } else {
    ListRun run(instance, strategy, plan, progress, recorder);
    metrics.makespan = run.run(count_attempts(instance, failures));
  }
  metrics.lower_bound = strikes == nullptr
                            ? lower_bounds(instance, plan.costs, failures).lower()
                            : lower_bounds(instance, least_costs(instance, *strikes)).lower();
  metrics.ratio = quotient(metrics.makespan, metrics.lower_bound);
  metrics.utilization =
      quotient(recorder.busy(), static_cast<double>(instance.processors) * metrics.makespan);
  metrics.attempts = recorder.attempts();
  return metrics;
}

Metrics simulate(const Instance& instance, const Strategy& strategy,
                 std::span<const std::int64_t> failures, Schedule* schedule) {
  return simulate(instance, strategy, make_plan(instance, strategy), failures, schedule);
}

}  // namespace holdfast::taskgraph
