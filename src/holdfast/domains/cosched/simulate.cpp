#include "holdfast/domains/cosched/simulate.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace holdfast::cosched {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// One run of Algorithm 2, with everything that changes from event to event.
class Simulation {
 public:
  Simulation(const Instance& instance, std::span<const TaskTimes> times, const Allocation& initial,
             const Strategy& strategy, History* history)
      : instance_{instance},
        times_{times},
        strategy_{strategy},
        history_{history},
        states_{initial_states(times, initial)},
        ends_(times.size()),
        intervals_(times.size()),
        owners_{instance.even_processors(), times.size()} {
    run_.finish.assign(times.size(), 0);
    owners_.assign(initial);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      intervals_[i] = {.task = i, .processors = initial[i]};
      update_end(i);
    }
    running_ = states_.size();
    record(0);
  }

  Run run(FailureSource failures) {
    Failure failure = instance_.fault_free ? Failure{kNever, 0} : failures();
    while (running_ > 0) {
      const double end = *std::min_element(ends_.begin(), ends_.end());
      if (end <= failure.time) {  // a failure at the instant of an end comes after it
        complete(end);
      } else {
        fail(failure);
        failure = failures();
      }
    }
    Metrics& metrics = run_.metrics;
    metrics.double_failure_probability = -elementary::expm1(log_no_double_failure_);
    metrics.predicted_makespan = predicted_sum_ / static_cast<double>(recorded_);
    metrics.allocation_deviation = deviation_sum_ / static_cast<double>(recorded_);
    return std::move(run_);
  }

 private:
  void update_end(std::size_t i) {
    const TaskState& task = states_[i];
    ends_[i] = task.running ? task.since + times_[i].real(task.processors, task.left) : kNever;
  }

  void complete(double now) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (ends_[i] != now) continue;
      close_interval(i, now);
      states_[i] = {.running = false, .processors = 0, .left = 0, .since = now, .finish = now};
      run_.finish[i] = now;
      update_end(i);
      --running_;
    }
    run_.metrics.makespan = now;
    if (running_ > 0) decide(now, kNoTask, strategy_.at_end);
    owners_.assign(allocation());
    record(now);
  }

  void fail(const Failure& failure) {
    const std::int64_t owner = owners_.owner(failure.processor);
    const auto i = static_cast<std::size_t>(owner);
    if (owner == Ownership::kIdle || failure.time < states_[i].since) {
      ++run_.metrics.failures_ignored;
      return;
    }
    ++run_.metrics.failures_handled;
    const double exposed = instance_.downtime + times_[i].checkpoint(states_[i].processors);
    log_no_double_failure_ += elementary::log1p(-std::min(1.0, exposed / instance_.mtbf));
    close_interval(i, failure.time);
    intervals_[i] = {.task = i,
                     .start = failure.time,
                     .processors = states_[i].processors,
                     .reason = AllocationInterval::Reason::failure,
                     .faulty = true};
    states_[i] = thrown_back(times_[i], states_[i], failure.time, instance_.downtime);
    update_end(i);
    if (!strategy_.only_when_last || is_last(i)) decide(failure.time, i, strategy_.at_failure);
    owners_.assign(allocation());
    record(failure.time);
  }

  [[nodiscard]] bool is_last(std::size_t faulty) const {
    return std::all_of(states_.begin(), states_.end(), [&](const TaskState& task) {
      return !task.running || task.finish <= states_[faulty].finish;
    });
  }

  void decide(double now, std::size_t faulty, const Heuristic& heuristic) {
    if (!heuristic) return;
    std::int64_t used = 0;
    for (const TaskState& task : states_) used += task.processors;
    RedistributionState state(times_, states_, now, faulty, instance_.even_processors() - used);
    heuristic(state);
    std::vector<TaskState> decided = state.decided();
    bool changed = false;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (decided[i].processors == states_[i].processors) continue;
      changed = true;
      close_interval(i, now);
      intervals_[i] = {.task = i,
                       .start = now,
                       .processors = decided[i].processors,
                       .reason = faulty == kNoTask ? AllocationInterval::Reason::completion
                                                   : AllocationInterval::Reason::failure,
                       .faulty = i == faulty};
      states_[i] = decided[i];
      update_end(i);
    }
    if (changed) ++run_.metrics.redistributions;
  }

  [[nodiscard]] Allocation allocation() const {
    Allocation processors(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) processors[i] = states_[i].processors;
    return processors;
  }

  void close_interval(std::size_t i, double now) {
    if (history_ == nullptr || now == intervals_[i].start) return;
    intervals_[i].end = now;
    history_->intervals.push_back(intervals_[i]);
  }

  // The two series of Figure 9 have a value after each event; their means over the events are metrics.
  void record(double now) {
    double sum = 0, squares = 0;
    double predicted = now;
    for (const TaskState& task : states_) {
      if (!task.running) continue;
      predicted = std::max(predicted, task.finish);
      sum += static_cast<double>(task.processors);
      squares += static_cast<double>(task.processors) * static_cast<double>(task.processors);
    }
    const double count = static_cast<double>(std::max<std::size_t>(running_, 1));
    const double deviation =
        std::sqrt(std::max(0.0, squares / count - (sum / count) * (sum / count)));
    ++recorded_;
    predicted_sum_ += predicted;
    deviation_sum_ += deviation;
    if (history_ != nullptr) history_->events.push_back({now, predicted, deviation});
  }

  const Instance& instance_;
  std::span<const TaskTimes> times_;
  const Strategy& strategy_;
  History* history_;
  std::vector<TaskState> states_;
  std::vector<double> ends_;
  std::vector<AllocationInterval> intervals_;
  Ownership owners_;
  std::size_t running_ = 0;
  Run run_;
  double log_no_double_failure_ = 0;
  std::int64_t recorded_ = 0;
  double predicted_sum_ = 0, deviation_sum_ = 0;
};

}  // namespace

FailureSource replay(std::span<const Failure> failures) {
  return [failures, next = std::size_t{0}]() mutable {
    return next < failures.size() ? failures[next++] : Failure{kNever, 0};
  };
}

FailureSource draw_failures(const Instance& instance, std::uint64_t seed,
                            std::uint64_t instance_index, std::uint64_t scenario) {
  const StreamKey key{
      .seed = seed, .purpose = Purpose::failures, .instance = instance_index, .scenario = scenario};
  const std::int64_t processors = instance.even_processors();
  return [stream = Stream(key), processors, mean = instance.mtbf / static_cast<double>(processors),
          now = 0.0]() mutable {
    now += sample_exponential(stream, mean);
    return Failure{now, stream.integer(0, processors - 1)};
  };
}

std::vector<TaskState> initial_states(std::span<const TaskTimes> times,
                                      const Allocation& allocation) {
  std::vector<TaskState> states(times.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].processors = allocation[i];
    states[i].finish = times[i].expected(allocation[i], 1);
  }
  return states;
}

TaskState thrown_back(const TaskTimes& times, const TaskState& task, double now, double downtime) {
  TaskState back = task;
  const double saved = std::floor((now - task.since) / times.period(task.processors));
  back.left -= saved * times.work_per_period(task.processors) / times.time(task.processors);
  back.left = std::max(0.0, back.left);
  back.since = now + downtime + times.checkpoint(task.processors);
  back.finish = back.since + times.expected(task.processors, back.left);
  return back;
}

Status feasible(const Instance& instance, std::span<const TaskTimes> times,
                const Allocation& initial) {
  if (instance.fault_free || instance.failures) return {};
  constexpr double kMostFailures = 1e7;
  const double rate = static_cast<double>(instance.even_processors()) / instance.mtbf;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double end = times[i].expected(initial[i], 1) + instance.downtime;
    if (rate * end <= kMostFailures) continue;
    return holdfast::fail(
        ErrorCode::infeasible, fmt::format("/tasks/{}", i),
        fmt::format("task {} on {} processors, which fail every {:.6g} s on average, is "
                    "expected to meet more than 10^7 failures: it would not end",
                    in_quotes(instance.tasks[i].id), initial[i], instance.mtbf));
  }
  return {};
}

Run simulate(const Instance& instance, std::span<const TaskTimes> times, const Allocation& initial,
             const Strategy& strategy, FailureSource failures, History* history) {
  return Simulation(instance, times, initial, strategy, history).run(std::move(failures));
}

}  // namespace holdfast::cosched
