#include "holdfast/algorithms/list_schedule.hpp"
#include "holdfast/algorithms/priority_order.hpp"
#include "holdfast/kernel/random.hpp"

#include <benchmark/benchmark.h>

#include <queue>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kTasks = 1'000'000;

std::vector<double> lengths(std::size_t count) {
  Stream random({.instance = 1});
  std::vector<double> out(count);
  for (double& length : out) length = random.uniform(1, 1000);
  return out;
}

// Sequential tasks, in the order of their slots.
struct Sequential {
  const double* lengths;
  double start(std::uint32_t slot, double now) const { return now + lengths[slot]; }
  std::uint32_t processors(std::uint32_t) const { return 1; }
  void complete(PendingBitmap&, std::uint32_t, double) const {}
  void settle(PendingBitmap&, double) const {}
};

// Does the least that any simulator of these tasks must do: a heap of ends, with one pop and one push per task.
double by_bare_heap(const std::vector<double>& tasks, std::size_t processors) {
  std::priority_queue<double, std::vector<double>, std::greater<>> ends;
  std::size_t next = 0;
  for (; next < processors && next < tasks.size(); ++next) ends.push(tasks[next]);
  double now = 0;
  while (!ends.empty()) {
    now = ends.top();
    ends.pop();
    if (next < tasks.size()) ends.push(now + tasks[next++]);
  }
  return now;
}

double by_list(const std::vector<double>& tasks, std::size_t processors) {
  PendingBitmap pending(1, tasks.size());
  pending.fill();
  Completions running(processors);
  Sequential client{tasks.data()};
  return list_schedule(static_cast<std::uint32_t>(processors), pending, running, client).end;
}

void sequential_tasks_in_order(benchmark::State& run) {
  const auto tasks = lengths(kTasks);
  const auto processors = static_cast<std::size_t>(run.range(0));
  if (by_list(tasks, processors) != by_bare_heap(tasks, processors)) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  for (auto _ : run) benchmark::DoNotOptimize(by_list(tasks, processors));
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(kTasks));
}
BENCHMARK(sequential_tasks_in_order)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

// Longest first: sorting is part of the work.
void sequential_tasks_longest_first(benchmark::State& run) {
  const auto tasks = lengths(kTasks);
  const auto processors = static_cast<std::size_t>(run.range(0));
  for (auto _ : run) {
    const auto order = priority_order(tasks);
    std::vector<double> sorted(tasks.size());
    for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = tasks[order[k]];
    benchmark::DoNotOptimize(by_list(sorted, processors));
  }
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(kTasks));
}
BENCHMARK(sequential_tasks_longest_first)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

void bare_binary_heap(benchmark::State& run) {
  const auto tasks = lengths(kTasks);
  const auto processors = static_cast<std::size_t>(run.range(0));
  for (auto _ : run) benchmark::DoNotOptimize(by_bare_heap(tasks, processors));
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(kTasks));
}
BENCHMARK(bare_binary_heap)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

// Rigid jobs of any size on 7500 processors, largest first.
struct Rigid {
  const std::vector<std::uint32_t>& needs;
  const std::vector<double>& lengths;
  double start(std::uint32_t slot, double now) const { return now + lengths[slot]; }
  std::uint32_t processors(std::uint32_t slot) const { return needs[slot]; }
  void complete(PendingTree&, std::uint32_t, double) const {}
  void settle(PendingTree&, double) const {}
};

void rigid_jobs(benchmark::State& run) {
  const auto count = static_cast<std::size_t>(run.range(0));
  const auto length = lengths(count);
  std::vector<std::uint32_t> needs(count);
  Stream random({.instance = 2});
  for (auto& need : needs) need = static_cast<std::uint32_t>(random.integer(1, 400));
  PendingTree pending;
  Completions running;
  Rigid client{needs, length};
  for (auto _ : run) {
    pending.fill(needs);
    benchmark::DoNotOptimize(list_schedule(7500, pending, running, client).end);
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(rigid_jobs)->Arg(500)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace holdfast
