#include "holdfast/domains/cosched/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace holdfast::cosched {
namespace {

constexpr double kRounding = 1e-9;

tl::unexpected<Error> broken(const Instance& instance, std::size_t task, std::string message) {
  return fail(ErrorCode::bad_value, "task " + instance.tasks[task].id, std::move(message));
}

// Checks the sum of the processors in use after every change of allocation.
Status check_capacity(const Instance& instance, const History& history) {
  std::map<double, std::int64_t> change;
  for (const AllocationInterval& interval : history.intervals) {
    change[interval.start] += interval.processors;
    change[interval.end] -= interval.processors;
  }
  std::int64_t used = 0;
  for (const auto& [time, delta] : change) {
    used += delta;
    if (used < 0 || used > instance.processors) {
      return fail(ErrorCode::bad_value, fmt::format("at {} s", time),
                  fmt::format("{} processors are in use, {} exist", used, instance.processors));
    }
  }
  return {};
}

// The most work, as a fraction of the task, that fits into the intervals: at full speed without checkpoints, after the move
// that a new allocation costs.
double possible_work(const TaskTimes& times, std::span<const AllocationInterval> intervals) {
  double work = 0;
  std::int64_t before = 0;
  for (const AllocationInterval& interval : intervals) {
    const std::int64_t j = interval.processors;
    double length = interval.end - interval.start;
    if (before != 0 && before != j) {
      length -= times.redistribution(before, j) + times.checkpoint(j);
    }
    before = j;
    if (length > 0) work += length / times.time(j);
  }
  return work;
}

Status check_task(const Instance& instance, const TaskTimes& times, std::size_t task, double finish,
                  std::span<const AllocationInterval> intervals) {
  if (intervals.empty()) return broken(instance, task, "it never ran");
  double expected_start = 0;
  for (const AllocationInterval& interval : intervals) {
    if (interval.processors < 2 || interval.processors % 2 != 0) {
      return broken(instance, task,
                    fmt::format("it has {} processors at {} s, not pairs", interval.processors,
                                interval.start));
    }
    if (interval.start != expected_start || !(interval.end > interval.start)) {
      return broken(instance, task, fmt::format("its time has a gap at {} s", expected_start));
    }
    expected_start = interval.end;
  }
  if (expected_start != finish) {
    return broken(
        instance, task,
        fmt::format("it ends at {} s, its last allocation at {} s", finish, expected_start));
  }
  if (const double work = possible_work(times, intervals); work < 1 - kRounding) {
    return broken(instance, task,
                  fmt::format("it ended, but its allocations hold only {} of its work", work));
  }
  return {};
}

}  // namespace

Status validate(const Instance& instance, const Run& run, const History& history) {
  HOLDFAST_CHECK(check_capacity(instance, history));
  const std::vector<TaskTimes> times = task_times(instance);
  std::vector<std::vector<AllocationInterval>> of_task(instance.tasks.size());
  for (const AllocationInterval& interval : history.intervals)
    of_task[interval.task].push_back(interval);
  for (std::size_t i = 0; i < of_task.size(); ++i) {
    HOLDFAST_CHECK(check_task(instance, times[i], i, run.finish[i], of_task[i]));
    double fastest = std::numeric_limits<double>::infinity();
    for (std::int64_t j = 2; j <= instance.processors; j += 2) {
      fastest = std::min(fastest, times[i].time(j));
    }
    if (run.finish[i] < fastest * (1 - kRounding)) {
      return broken(
          instance, i,
          fmt::format("it ends at {} s, faster than any allocation allows", run.finish[i]));
    }
  }
  const double last = *std::max_element(run.finish.begin(), run.finish.end());
  if (last != run.metrics.makespan) {
    return fail(
        ErrorCode::bad_value, "makespan",
        fmt::format("it is {} s, but the last task ends at {} s", run.metrics.makespan, last));
  }
  return {};
}

}  // namespace holdfast::cosched
