#include "holdfast/domains/capacity/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace holdfast::capacity {
namespace {

tl::unexpected<Error> broken(const Instance& instance, const Task& task, std::string message) {
  return fail(ErrorCode::bad_value, "job " + instance.jobs[task.job].id, std::move(message));
}

// The cores of each machine, one by one.
std::vector<std::int64_t> cores_by_machine(const Instance& instance) {
  std::vector<std::int64_t> out;
  for (const MachineSize& size : instance.sizes) {
    for (std::int64_t i = 0; i < size.machines; ++i) out.push_back(size.cores);
  }
  if (out.empty()) out.assign(static_cast<std::size_t>(instance.machines), instance.cores);
  return out;
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
  const std::vector<std::int64_t> cores = cores_by_machine(instance);
  for (std::size_t m = 0; m < change.size(); ++m) {
    std::int64_t busy = 0;
    for (const auto& [time, delta] : change[m]) {
      busy += delta;
      if (busy > cores[m]) {
        return fail(ErrorCode::bad_value, fmt::format("machine {} at {}", m, time),
                    fmt::format("{} cores are busy, {} exist", busy, cores[m]));
      }
    }
  }
  return {};
}

// The machine was on during the whole run; it went off at the end of one that was killed or saved, and not before.
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
  const bool needs_shutdown =
      run.outcome == Execution::Outcome::killed || run.outcome == Execution::Outcome::saved;
  if (needs_shutdown && !went_off) {
    return broken(
        instance, task,
        fmt::format("is {} at {}, but machine {} stays on",
                    kOutcomes[static_cast<std::size_t>(run.outcome)], run.end, run.machine));
  }
  return {};
}

// A run is saved if its shutdown was announced early enough and it had done some work; otherwise it is killed.
Status check_saving(const Instance& instance, const Task& task, const Execution& run) {
  const bool is_saved = run.outcome == Execution::Outcome::saved;
  const bool is_killed = run.outcome == Execution::Outcome::killed;
  const bool can_be_saved = instance.saves_runs() && run.end - run.start > *instance.checkpoint;
  if (is_saved && !can_be_saved)
    return broken(instance, task, fmt::format("is saved at {}, which takes longer", run.end));
  if (is_killed && can_be_saved)
    return broken(instance, task, fmt::format("is killed at {}, and could be saved", run.end));
  return {};
}

Status check_runs(const Instance& instance, const Task& task, std::span<const Execution> runs) {
  std::int64_t length = task.first_length, unsaved_length = task.length;
  std::int64_t after = task.arrival;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Execution& run = runs[i];
    if (run.start < after)
      return broken(instance, task, fmt::format("starts at {}, before {}", run.start, after));
    const bool is_last = i + 1 == runs.size();
    const bool runs_again =
        run.outcome == Execution::Outcome::killed || run.outcome == Execution::Outcome::saved;
    if (!is_last && !runs_again) {
      return broken(instance, task, fmt::format("runs again after {}", run.end));
    }
    const std::int64_t lasted = run.end - run.start;
    const bool is_full =
        run.outcome == Execution::Outcome::completed ? lasted == length : lasted <= length;
    if (!is_full) return broken(instance, task, fmt::format("runs {} s of {}", lasted, length));
    if (run.outcome == Execution::Outcome::running && run.end != instance.end) {
      return broken(instance, task, fmt::format("stops at {} without an end", run.end));
    }
    HOLDFAST_CHECK(check_saving(instance, task, run));
    if (run.outcome == Execution::Outcome::saved)
      unsaved_length = length - (lasted - *instance.checkpoint);
    length = unsaved_length;
    after = run.end + instance.requeue_delay;
  }
  return {};
}

std::int64_t capacity_of(const Instance& instance, std::span<const std::int64_t> rank_of) {
  const std::vector<std::int64_t> cores = cores_by_machine(instance);
  std::vector<std::int64_t> of_rank(cores.size());
  for (std::size_t m = 0; m < cores.size(); ++m)
    of_rank[static_cast<std::size_t>(rank_of[m])] = cores[m];
  std::vector<std::int64_t> of_first = {0};  // [number of machines that are on] their cores
  for (const std::int64_t more : of_rank) of_first.push_back(of_first.back() + more);
  const std::vector<Step>& steps = instance.powered_steps();
  std::int64_t sum = 0;
  std::int64_t from = instance.begin;
  std::int64_t machines = steps.front().machines;
  for (const Step& step : steps) {
    if (step.time <= instance.begin) machines = step.machines;
    if (step.time <= instance.begin || step.time >= instance.end) continue;
    sum += (step.time - from) * of_first[static_cast<std::size_t>(machines)];
    from = step.time;
    machines = step.machines;
  }
  return sum + (instance.end - from) * of_first[static_cast<std::size_t>(machines)];
}

// Returns the accounts as they follow from the schedule alone.
Metrics books_of(const Instance& instance, std::span<const Task> tasks,
                 std::span<const Execution> log, std::span<const std::int64_t> rank_of) {
  Metrics found;
  found.capacity = capacity_of(instance, rank_of);
  if (instance.saves_runs()) {
    found.saves = 0;
    found.saving = 0;
  }
  std::vector<char> is_settled(tasks.size(), 0);  // completed or running
  for (const Execution& run : log) {
    const Task& task = tasks[run.task];
    const std::int64_t work = (run.end - run.start) * task.cores;
    if (run.outcome == Execution::Outcome::killed) {
      found.aborted += work;
      found.aborted_time += run.end - run.start;
      ++found.kills;
      continue;
    }
    if (run.outcome == Execution::Outcome::saved) {
      const std::int64_t saving = *instance.checkpoint * task.cores;
      found.useful += work - saving;
      *found.saving += saving;
      ++*found.saves;
      continue;
    }
    found.useful += work;
    is_settled[run.task] = 1;
    if (run.outcome == Execution::Outcome::running) {
      ++found.running;
      continue;
    }
    ++found.completed;
    const double stretch =
        static_cast<double>(run.end - task.release) / static_cast<double>(task.length);
    found.largest_stretch = std::max(found.largest_stretch, stretch);
    found.sum_of_stretch += stretch;
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].arrival < instance.end && is_settled[i] == 0) ++found.waiting;
  }
  return found;
}

// What busy machines cost, rate by rate: the seconds of each rate in which a machine has a job.
double busy_cost(const Instance& instance, const std::vector<Rate>& rates,
                 std::span<const Execution> log) {
  std::vector<std::map<std::int64_t, std::int64_t>> change(
      static_cast<std::size_t>(instance.machines));
  for (const Execution& run : log) {
    auto& machine = change[static_cast<std::size_t>(run.machine)];
    ++machine[run.start];
    --machine[run.end];
  }
  double sum = 0;
  for (std::size_t r = 0; r < rates.size(); ++r) {
    const std::int64_t from = r == 0 ? std::numeric_limits<std::int64_t>::min() : rates[r].time;
    const std::int64_t to = r + 1 < rates.size() ? rates[r + 1].time : kNoEnd;
    std::int64_t seconds = 0;
    for (const auto& machine : change) {
      std::int64_t busy = 0, since = 0;
      for (const auto& [time, delta] : machine) {
        if (busy > 0)
          seconds += std::max<std::int64_t>(0, std::min(time, to) - std::max(since, from));
        busy += delta;
        since = time;
      }
    }
    sum += rates[r].per_hour * static_cast<double>(seconds) / kHour;
  }
  return sum;
}

Status check_bill(const Instance& instance, const std::vector<Rate>& rates,
                  const std::optional<Bill>& bill, std::span<const Execution> log) {
  if (!bill) return {};
  const double found = busy_cost(instance, rates, log);
  if (std::abs(bill->busy - found) <= 1e-9 * std::max(1.0, std::abs(found))) return {};
  return fail(ErrorCode::bad_value, "accounts",
              fmt::format("cost of busy machines: found {}, expected {} by the schedule",
                          bill->busy, found));
}

Status check_books(const Instance& instance, std::span<const Task> tasks, const Metrics& metrics,
                   std::span<const Execution> log, std::span<const std::int64_t> rank_of) {
  const Metrics found = books_of(instance, tasks, log, rank_of);
  const struct {
    const char* what;
    std::int64_t booked;
    std::int64_t found;
  } rows[] = {{"core-seconds of capacity", metrics.capacity, found.capacity},
              {"useful core-seconds", metrics.useful, found.useful},
              {"aborted core-seconds", metrics.aborted, found.aborted},
              {"aborted seconds", metrics.aborted_time, found.aborted_time},
              {"kills", metrics.kills, found.kills},
              {"saves", metrics.saves.value_or(0), found.saves.value_or(0)},
              {"core-seconds of saving", metrics.saving.value_or(0), found.saving.value_or(0)},
              {"completed jobs", metrics.completed, found.completed},
              {"running jobs", metrics.running, found.running},
              {"waiting and dropped jobs", metrics.waiting + metrics.dropped, found.waiting}};
  for (const auto& row : rows) {
    if (row.booked == row.found) continue;
    return fail(
        ErrorCode::bad_value, "accounts",
        fmt::format("{}: found {}, expected {} by the schedule", row.what, row.booked, row.found));
  }
  if (found.useful + found.aborted + found.saving.value_or(0) > found.capacity) {
    return fail(ErrorCode::bad_value, "accounts", "found more work than capacity");
  }
  // The order of the sum differs, hence the margin.
  const double margin = 1e-9 * std::max(1.0, found.sum_of_stretch);
  if (metrics.largest_stretch != found.largest_stretch ||
      !(std::abs(metrics.sum_of_stretch - found.sum_of_stretch) <= margin)) {
    return fail(ErrorCode::bad_value, "accounts",
                fmt::format("stretch: found {}, expected {} by the schedule",
                            metrics.largest_stretch, found.largest_stretch));
  }
  return {};
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
  HOLDFAST_CHECK(check_bill(instance, instance.price, metrics.money, log));
  HOLDFAST_CHECK(check_bill(instance, instance.carbon, metrics.grams, log));
  return check_books(instance, tasks, metrics, log, rank_of);
}

}  // namespace holdfast::capacity
