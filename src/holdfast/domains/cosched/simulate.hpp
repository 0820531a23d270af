#pragma once

#include "holdfast/domains/cosched/instance.hpp"
#include "holdfast/domains/cosched/metrics.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::cosched {

/// A function that returns the failures of the platform one by one, in order of time. A time of infinity ends them.
using FailureSource = std::function<Failure()>;

/// Returns the failures listed in the instance.
[[nodiscard]] FailureSource replay(std::span<const Failure> failures);
/// Returns random failures, the same for every strategy: exponential times between them with rate p / mu, and processors drawn
/// uniformly.
[[nodiscard]] FailureSource draw_failures(const Instance& instance, std::uint64_t seed,
                                          std::uint64_t instance_index, std::uint64_t scenario);

/// An interval of time in which a task had one allocation, and the reason for its start.
struct AllocationInterval {
  enum class Reason : std::uint8_t { start, failure, completion };
  std::size_t task = 0;
  double start = 0;
  double end = 0;
  std::int64_t processors = 0;
  Reason reason = Reason::start;
  bool faulty = false;  ///< true: it began with a failure of the task itself
};

/// The events of a run, recorded only on request.
struct History {
  struct Event {
    double time = 0;
    double predicted_makespan = 0;    ///< largest expected finish after the decision, seconds
    double allocation_deviation = 0;  ///< standard deviation of the processors of the running tasks
  };
  std::vector<AllocationInterval> intervals;  ///< in order of their end
  std::vector<Event> events;  ///< the start, each end, and each failure that was handled
};

struct Run {
  Metrics metrics;
  std::vector<double> finish;  ///< [task] seconds
};

/// Simulates Algorithm 2: completions (before failures at the same instant), failures, decisions.
/// @param times    task_times(instance)
/// @param initial  allocation at the start, even counts, sum <= p
/// @param history  receives the events; may be null
/// Source: the co-scheduling report, Algorithm 2, as README.md reads it.
[[nodiscard]] Run simulate(const Instance& instance, std::span<const TaskTimes> times,
                           const Allocation& initial, const Strategy& strategy,
                           FailureSource failures, History* history = nullptr);

/// Refuses a run with more than 10^7 expected failures while tasks keep their initial processors, because it would not end.
/// Runs with fixed failures, or with none, are never refused.
[[nodiscard]] Status feasible(const Instance& instance, std::span<const TaskTimes> times,
                              const Allocation& initial);

/// Returns the states at the start of a run with that allocation.
[[nodiscard]] std::vector<TaskState> initial_states(std::span<const TaskTimes> times,
                                                    const Allocation& allocation);

/// Returns the state of a task that a processor's failure at `now` throws back to its last checkpoint: the work left, the date
/// at which it computes again (after downtime and recovery), and its new expected finish.
[[nodiscard]] TaskState thrown_back(const TaskTimes& times, const TaskState& task, double now,
                                    double downtime);

}  // namespace holdfast::cosched
