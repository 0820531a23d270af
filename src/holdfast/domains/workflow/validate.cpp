#include "holdfast/domains/workflow/validate.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace holdfast::workflow {
namespace {

Status broken(const Instance& instance, std::size_t task, std::string_view message) {
  return fail(ErrorCode::bad_value, "/schedule",
              fmt::format("task {} {}", in_quotes(instance.name(task)), message));
}

/// Returns the rows by task, and checks that each task has one.
Result<std::vector<TaskRun>> by_task(const Instance& instance, std::span<const TaskRun> tasks) {
  if (tasks.size() != instance.size()) {
    return fail(ErrorCode::bad_value, "/schedule",
                fmt::format("found {} rows, expected one for each of the {} tasks", tasks.size(),
                            instance.size()));
  }
  std::vector<TaskRun> out(instance.size());
  std::vector<bool> is_there(instance.size(), false);
  for (const TaskRun& run : tasks) {
    if (is_there[run.task]) {
      return fail(ErrorCode::bad_value, "/schedule",
                  fmt::format("task {} runs twice", in_quotes(instance.name(run.task))));
    }
    is_there[run.task] = true;
    out[run.task] = run;
  }
  return out;
}

// Checks the duration. With f failures it is the time of the segments, f downtimes, and for each
// failure less than a whole attempt of recovery and segment; at least one recovery is complete.
Status check_duration(const Instance& instance, const TaskRun& run) {
  const std::size_t task = run.task;
  const double found = run.end - run.start;
  double least =
      instance.lengths[task] + static_cast<double>(run.segments) * instance.checkpoint(task);
  double most = least;
  if (!instance.fixed_outcomes.empty() && instance.fixed_outcomes[task].duration) {
    least = most = *instance.fixed_outcomes[task].duration;
  } else if (run.failures > 0) {
    const auto failures = static_cast<double>(run.failures);
    const double segment =
        instance.lengths[task] / static_cast<double>(run.segments) + instance.checkpoint(task);
    // A strategy that plans again may have had longer segments, at most the whole task.
    const double longest =
        instance.law ? instance.lengths[task] + instance.checkpoint(task) : segment;
    most = least + failures * (instance.downtime + instance.recovery(task) + longest);
    least += failures * instance.downtime + instance.recovery(task);
  }
  const double rounding = 1e-9 * (1 + std::abs(run.end));
  if (found >= least - rounding && found <= most + rounding) return {};
  return broken(instance, task,
                fmt::format("takes {} s in {} segments with {} failures, expected {} to {} s",
                            found, run.segments, run.failures, least, most));
}

Status check_parents(const Instance& instance, std::span<const TaskRun> runs, std::size_t task) {
  for (const TaskIndex parent : instance.graph.parents(task)) {
    if (runs[parent].end <= runs[task].start) continue;
    return broken(instance, task,
                  fmt::format("starts at {} s, before {} has ended", runs[task].start,
                              in_quotes(instance.name(parent))));
  }
  return {};
}

/// The running tasks and the free processors, while tasks start in the order of the failure-free schedule.
class Occupation {
 public:
  explicit Occupation(std::int64_t processors) : free_{processors} {}

  /// Returns the earliest time from `from` on at which that many processors are free.
  [[nodiscard]] double earliest(double from, std::int64_t width) const {
    std::int64_t free = free_;
    double at = from;
    for (auto end = running_.begin(); end != running_.end(); ++end) {
      if (free >= width && end->first > at) break;
      free += end->second;
      if (free - end->second < width) at = std::max(at, end->first);
    }
    return at;
  }
  void start(double now, double end, std::int64_t width) {
    while (!running_.empty() && running_.begin()->first <= now) {
      free_ += running_.begin()->second;
      running_.erase(running_.begin());
    }
    free_ -= width;
    running_.emplace(end, width);
  }
  [[nodiscard]] bool is_overcommitted() const { return free_ < 0; }

 private:
  std::int64_t free_;
  std::multimap<double, std::int64_t> running_;  ///< processors of running tasks by their end
};

Status check_starts(const Instance& instance, std::span<const TaskRun> runs) {
  const FailureFree schedule = failure_free_schedule(instance);
  Occupation machine(instance.processors);
  double last = 0;
  for (const TaskIndex task : schedule.order) {
    const TaskRun& run = runs[task];
    double ready = last;
    for (const TaskIndex parent : instance.graph.parents(task)) {
      ready = std::max(ready, runs[parent].end);
    }
    const std::int64_t width = instance.width(task);
    const double expected = machine.earliest(ready, width);
    if (run.start != expected) {
      return broken(instance, task,
                    fmt::format("starts at {} s, expected {} s", run.start, expected));
    }
    machine.start(run.start, run.end, width);
    if (machine.is_overcommitted()) {
      return broken(instance, task, "starts where not enough processors are free");
    }
    last = run.start;
  }
  return {};
}

}  // namespace

Status validate(const Instance& instance, std::span<const TaskRun> tasks) {
  HOLDFAST_TRY(runs, by_task(instance, tasks));
  for (std::size_t task = 0; task < runs.size(); ++task) {
    HOLDFAST_CHECK(check_duration(instance, runs[task]));
    HOLDFAST_CHECK(check_parents(instance, runs, task));
  }
  return check_starts(instance, runs);
}

}  // namespace holdfast::workflow
