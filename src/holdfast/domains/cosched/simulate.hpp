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

/// Gives the failures of the platform one by one, in order of time; a time of infinity ends them.
using FailureSource = std::function<Failure()>;

/// Returns the failures listed in the instance.
[[nodiscard]] FailureSource replay(std::span<const Failure> failures);
/// Exponential times between failures with rate p / mu, processors uniform; the same for every strategy.
[[nodiscard]] FailureSource draw_failures(const Instance& instance, std::uint64_t seed,
                                          std::uint64_t instance_index, std::uint64_t scenario);

/// An interval of time in which a task had one allocation, and why it began.
struct AllocationInterval {
  enum class Reason : std::uint8_t { start, failure, completion };
  std::size_t task = 0;
  double start = 0;
  double end = 0;
  std::int64_t processors = 0;
  Reason reason = Reason::start;
  bool faulty = false;  ///< it began with a failure of the task itself
};

/// What happened, event by event; filled only when asked for.
struct History {
  struct Event {
    double time = 0;
    double predicted_makespan = 0;    ///< max of the expected finishes after the decision, seconds
    double allocation_deviation = 0;  ///< standard deviation of the running tasks' processors
  };
  std::vector<AllocationInterval> intervals;  ///< in order of their end
  std::vector<Event> events;  ///< the start, each end, each failure that was handled
};

struct Run {
  Metrics metrics;
  std::vector<double> finish;  ///< per task, seconds
};

/// Algorithm 2: completions (before failures of the same instant), failures, decisions.
/// @param times    task_times(instance)
/// @param initial  allocation at the start, even counts, sum <= p
/// @param history  filled when not null
/// Source: the co-scheduling report, Algorithm 2, read as decision 0024 says.
[[nodiscard]] Run simulate(const Instance& instance, std::span<const TaskTimes> times,
                           const Allocation& initial, const Strategy& strategy,
                           FailureSource failures, History* history = nullptr);

/// Refuses a run of which more than 10^7 failures are expected, as long as tasks keep their initial processors: it would
/// not end. Where failures are fixed, or none, there is no such run.
[[nodiscard]] Status feasible(const Instance& instance, std::span<const TaskTimes> times,
                              const Allocation& initial);

/// States at the start of a run with that allocation.
[[nodiscard]] std::vector<TaskState> initial_states(std::span<const TaskTimes> times,
                                                    const Allocation& allocation);

/// The processor's failure at `now` throws the task back to its last checkpoint: what is left, when it computes again
/// (downtime and recovery later), its new expected finish.
[[nodiscard]] TaskState thrown_back(const TaskTimes& times, const TaskState& task, double now,
                                    double downtime);

}  // namespace holdfast::cosched
