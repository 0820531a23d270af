#include "holdfast/domains/cosched/strategy.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::cosched {
namespace {

// at_i: the fraction left at `now` of a task that has computed since `since`. Work done inside an unfinished period
// counts, time in an unfinished checkpoint does not (README.md, readings).
double left_at(const TaskTimes& times, const TaskState& task, double now) {
  const double elapsed = now - task.since;
  const double work = times.work_per_period(task.processors);
  const double period = times.period(task.processors);
  const double count = std::floor(elapsed / period);  // 0 if the period is infinite
  const double done = count == 0 ? std::min(elapsed, work)
                                 : count * work + std::min(elapsed - count * period, work);
  return std::max(0.0, task.left - done / times.time(task.processors));
}

}  // namespace

RedistributionState::RedistributionState(std::span<const TaskTimes> times,
                                         std::span<const TaskState> tasks, double now,
                                         std::size_t faulty, std::int64_t free)
    : times_{times}, tasks_{tasks}, now_{now}, faulty_{faulty}, free_{free}, draft_(tasks.size()) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const TaskState& task = tasks[i];
    draft_[i] = {.processors = task.processors, .finish = task.finish};
    if (!task.running || (i != faulty && !(now > task.since))) continue;
    eligible_.push_back(i);
    // The faulty task's `since` is already the end of its downtime and recovery.
    draft_[i].left = i == faulty ? task.left : left_at(times[i], task, now);
    draft_[i].base = i == faulty ? task.since : now;
  }
}

double RedistributionState::moved(std::size_t task, std::int64_t k) const {
  assert(k != tasks_[task].processors);
  const Draft& draft = draft_[task];
  return draft.base + times_[task].moved(tasks_[task].processors, k, draft.left);
}

double RedistributionState::kept(std::size_t task) const {
  const TaskState& state = tasks_[task];
  return state.since + times_[task].expected(state.processors, state.left);
}

void RedistributionState::set(std::size_t task, std::int64_t k) {
  set(task, k, value(task, k));
}

void RedistributionState::set(std::size_t task, std::int64_t k, double finish) {
  assert(k >= 2 && k % 2 == 0);
  Draft& draft = draft_[task];
  free_ += draft.processors - k;
  assert(free_ >= 0);
  draft.processors = k;
  draft.finish = finish;
}

void RedistributionState::shrink_within(std::size_t task, double limit, double stays) {
  const std::int64_t had = tasks_[task].processors;
  assert(draft_[task].processors == had && stays <= limit);
  // A margin for the rounding of dates, which are larger than the durations that the bound compares.
  const double room = limit * (1 + 1e-9) - draft_[task].base;
  for (std::int64_t k = times_[task].first_possible(had, draft_[task].left, room); k < had;
       k += 2) {
    if (const double finish = moved(task, k); finish <= limit) return set(task, k, finish);
  }
  set(task, had, stays);
}

std::int64_t RedistributionState::better(std::size_t task) {
  Draft& draft = draft_[task];
  const std::int64_t limit = draft.processors + free_;
  if (draft.better_at > draft.processors && draft.better_at <= limit) return draft.better_at;
  for (std::int64_t k = draft.processors + 2; k <= limit; k += 2) {
    if (value(task, k) < draft.finish) return draft.better_at = k;
  }
  return 0;
}

std::vector<TaskState> RedistributionState::decided() const {
  std::vector<TaskState> states(tasks_.begin(), tasks_.end());
  for (const std::size_t i : eligible_) {
    const Draft& draft = draft_[i];
    if (draft.processors == states[i].processors) continue;
    states[i] = {.running = true,
                 .processors = draft.processors,
                 .left = draft.left,
                 .since = draft.base + move_cost(i),
                 .finish = draft.finish};
  }
  return states;
}

double RedistributionState::move_cost(std::size_t task) const {
  const std::int64_t from = tasks_[task].processors;
  const std::int64_t to = draft_[task].processors;
  if (from == to) return 0;
  return times_[task].redistribution(from, to) + times_[task].checkpoint(to);
}

}  // namespace holdfast::cosched
