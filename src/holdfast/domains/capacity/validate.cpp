#include "holdfast/domains/capacity/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace holdfast::capacity {
namespace {

tl::unexpected<Error> broken(const Instance& instance, const Task& task, std::string message) {
  return fail(ErrorCode::bad_value, "job " + instance.jobs[task.job].id, std::move(message));
}

// Busy cores of each machine never exceed its cores.
Status check_cores(const Instance& instance, std::span<const Task> tasks,
                   std::span<const Execution> log) {
  std::vector<std::map<std::int64_t, std::int64_t>> change(
      static_cast<std::size_t>(instance.machines));
  for (const Execution& run : log) {
    auto& machine = change[static_cast<std::size_t>(run.machine)];
    machine[run.start] += tasks[run.task].cores;
    machine[run.end] -= tasks[run.task].cores;
  }
  for (std::size_t m = 0; m < change.size(); ++m) {
    std::int64_t busy = 0;
    for (const auto& [time, delta] : change[m]) {
      busy += delta;
      if (busy > instance.cores) {
        return fail(ErrorCode::bad_value, fmt::format("machine {} at {}", m, time),
                    fmt::format("{} cores are busy, {} exist", busy, instance.cores));
      }
    }
  }
  return {};
}

// The machine was on during the whole run; it went off at the end of a killed one and not before.
Status check_machine(const Instance& instance, const Task& task, const Execution& run,
                     std::int64_t rank) {
  const auto is_on = [&](std::int64_t time) { return rank < instance.alive_at(time); };
  if (run.end == run.start) return {};
  if (!is_on(run.start))
    return broken(instance, task,
                  fmt::format("starts at {} on machine {}, which is off", run.start, run.machine));
  for (const Step& step : instance.alive) {
    if (step.time <= run.start || step.time >= run.end) continue;
    if (rank >= step.machines) {
      return broken(
          instance, task,
          fmt::format("runs on machine {}, which goes off at {}", run.machine, step.time));
    }
  }
  const bool went_off = run.end >= instance.begin && !is_on(run.end);
  if (run.outcome == Execution::Outcome::killed && !went_off) {
    return broken(instance, task,
                  fmt::format("is killed at {}, but machine {} stays on", run.end, run.machine));
  }
  return {};
}

Status check_runs(const Instance& instance, const Task& task, std::span<const Execution> runs) {
  std::int64_t length = task.first_length;
  std::int64_t after = task.arrival;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Execution& run = runs[i];
    if (run.start < after)
      return broken(instance, task, fmt::format("starts at {}, before {}", run.start, after));
    const bool is_last = i + 1 == runs.size();
    if (!is_last && run.outcome != Execution::Outcome::killed) {
      return broken(instance, task, fmt::format("runs again after {}", run.end));
    }
    const std::int64_t lasted = run.end - run.start;
    const bool is_full =
        run.outcome == Execution::Outcome::completed ? lasted == length : lasted <= length;
    if (!is_full) return broken(instance, task, fmt::format("runs {} s of {}", lasted, length));
    if (run.outcome == Execution::Outcome::running && run.end != instance.end) {
      return broken(instance, task, fmt::format("stops at {} without an end", run.end));
    }
    length = task.length;
    after = run.end;
  }
  return {};
}

Status check_books(const Instance& instance, std::span<const Task> tasks, const Metrics& metrics,
                   std::span<const Execution> log) {
  Metrics found;
  for (const Execution& run : log) {
    const std::int64_t work = (run.end - run.start) * tasks[run.task].cores;
    if (run.outcome == Execution::Outcome::killed) {
      found.aborted += work;
      found.aborted_time += run.end - run.start;
      ++found.kills;
    } else {
      found.useful += work;
      ++(run.outcome == Execution::Outcome::completed ? found.completed : found.running);
    }
  }
  const auto arrived = std::count_if(tasks.begin(), tasks.end(),
                                     [&](const Task& task) { return task.arrival < instance.end; });
  const bool closes =
      found.useful == metrics.useful && found.aborted == metrics.aborted &&
      found.aborted_time == metrics.aborted_time && found.kills == metrics.kills &&
      found.completed == metrics.completed && found.running == metrics.running &&
      metrics.completed + metrics.running + metrics.waiting + metrics.dropped == arrived &&
      metrics.useful + metrics.aborted <= metrics.capacity;
  if (closes) return {};
  return fail(ErrorCode::bad_value, "books",
              fmt::format("they do not close: useful {} / {}, aborted {} / {}, of {}; completed {} "
                          "/ {}, running {} / {}, "
                          "waiting {}, dropped {}, of {} jobs",
                          metrics.useful, found.useful, metrics.aborted, found.aborted,
                          metrics.capacity, metrics.completed, found.completed, metrics.running,
                          found.running, metrics.waiting, metrics.dropped, arrived));
}

}  // namespace

Status validate(const Instance& instance, std::span<const Task> tasks, const Metrics& metrics,
                std::span<const Execution> log, std::span<const std::int64_t> rank_of) {
  HOLDFAST_CHECK(check_cores(instance, tasks, log));
  std::vector<std::vector<Execution>> of_task(tasks.size());
  for (const Execution& run : log) {
    HOLDFAST_CHECK(check_machine(instance, tasks[run.task], run,
                                 rank_of[static_cast<std::size_t>(run.machine)]));
    of_task[run.task].push_back(run);
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::sort(of_task[i].begin(), of_task[i].end(), [](const Execution& a, const Execution& b) {
      return std::pair(a.start, a.end) < std::pair(b.start, b.end);
    });
    HOLDFAST_CHECK(check_runs(instance, tasks[i], of_task[i]));
  }
  return check_books(instance, tasks, metrics, log);
}

}  // namespace holdfast::capacity
