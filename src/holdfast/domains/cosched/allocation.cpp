#include "holdfast/domains/cosched/allocation.hpp"

#include "holdfast/domains/cosched/head_heap.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::cosched {
namespace {

// One task in Algorithm 1: the running minimum of its expected times, and the count that attains it.
struct Grower {
  std::int64_t processors = 2;
  std::int64_t best_at = 2;    // smallest count that attains the minimum so far
  std::int64_t better_at = 2;  // a larger count known to be better, or <= processors
  double best = 0;
};

// Returns true if a count in (processors, processors + available] has a smaller expected time.
bool can_improve(Grower& task, const TaskTimes& times, std::int64_t available) {
  if (task.better_at > task.processors) return true;
  for (std::int64_t j = task.processors + 2; j <= task.processors + available; j += 2) {
    if (times.expected(j, 1) < task.best) {
      task.better_at = j;
      return true;
    }
  }
  return false;
}

}  // namespace

Allocation initial_allocation(std::span<const TaskTimes> times, std::int64_t processors) {
  const std::size_t n = times.size();
  assert(processors % 2 == 0 && processors >= static_cast<std::int64_t>(2 * n));
  std::vector<Grower> growers(n);
  HeadHeap heads;
  for (std::size_t i = 0; i < n; ++i) {
    growers[i].best = times[i].expected(2, 1);
    heads.add(growers[i].best, i);
  }
  heads.build();
  for (std::int64_t available = processors - static_cast<std::int64_t>(2 * n); available >= 2;
       available -= 2) {
    const std::size_t i = heads.top();
    Grower& task = growers[i];
    if (!can_improve(task, times[i], available)) break;
    task.processors += 2;
    if (const double value = times[i].expected(task.processors, 1); value < task.best) {
      task.best = value;
      task.best_at = task.processors;
      heads.replace_top(value);
    }
  }
  Allocation allocation(n);
  // Pairs without effect are given back.
  for (std::size_t i = 0; i < n; ++i) allocation[i] = growers[i].best_at;
  return allocation;
}

Ownership::Ownership(std::int64_t processors, std::size_t tasks)
    : owner_of_pair_(static_cast<std::size_t>(processors / 2), kIdle), pairs_(tasks) {}

void Ownership::assign(std::span<const std::int64_t> allocation) {
  assert(allocation.size() == pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto wanted = static_cast<std::size_t>(allocation[i] / 2);
    while (pairs_[i].size() > wanted) {
      owner_of_pair_[static_cast<std::size_t>(pairs_[i].back())] = kIdle;
      pairs_[i].pop_back();
    }
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto wanted = static_cast<std::size_t>(allocation[i] / 2);
    if (pairs_[i].size() >= wanted) continue;
    while (pairs_[i].size() < wanted) {
      while (owner_of_pair_[next] != kIdle) ++next;
      owner_of_pair_[next] = static_cast<std::int64_t>(i);
      pairs_[i].push_back(static_cast<std::int64_t>(next));
    }
    std::sort(pairs_[i].begin(), pairs_[i].end());
  }
}

std::int64_t Ownership::owner(std::int64_t processor) const {
  const auto pair = static_cast<std::size_t>(processor / 2);
  return pair < owner_of_pair_.size() ? owner_of_pair_[pair] : kIdle;
}

void Ownership::set(std::size_t task, std::span<const std::int64_t> processors) {
  for (const std::int64_t processor : processors) {
    const auto pair = static_cast<std::size_t>(processor / 2);
    if (owner_of_pair_[pair] != kIdle) continue;  // the other processor of the pair came before
    owner_of_pair_[pair] = static_cast<std::int64_t>(task);
    pairs_[task].push_back(processor / 2);
  }
  std::sort(pairs_[task].begin(), pairs_[task].end());
}

}  // namespace holdfast::cosched
