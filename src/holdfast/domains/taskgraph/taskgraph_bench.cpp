#include "holdfast/domains/taskgraph/allocation.hpp"
#include "holdfast/domains/taskgraph/generator.hpp"
#include "holdfast/domains/taskgraph/guarantee.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies/capped_lpa.hpp"
#include "holdfast/domains/taskgraph/strategies/earliest_completion.hpp"
#include "holdfast/domains/taskgraph/validate.hpp"
#include "holdfast/domains/taskgraph/worst_case.hpp"
#include "holdfast/kernel/random.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace holdfast::taskgraph {
namespace {

CappedLpa capped(const Instance& instance) {
  return CappedLpa::make(instance, {}).value();
}

// 2500 tasks and about 31,000 edges, as in the study of the source's authors.
void graph_of_2500_tasks(benchmark::State& run) {
  const Instance instance = generate({.model = TaskModel::amdahl}, 1);
  const CappedLpa strategy = capped(instance);
  Schedule schedule;
  double makespan = simulate(instance, strategy, {}, &schedule).makespan;
  if (!validate(instance, {}, schedule, Idling::forbidden)) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  for (auto _ : run) {
    const CappedLpa again = capped(instance);
    benchmark::DoNotOptimize(makespan = simulate(instance, again).makespan);
  }
  run.counters["edges"] = static_cast<double>(instance.graph.edges());
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(instance.size()));
}
BENCHMARK(graph_of_2500_tasks)->Unit(benchmark::kMillisecond);

// Random layered graphs with about ten parents a task. The argument is the number of tasks.
void layered_graph(benchmark::State& run) {
  const std::int64_t tasks = run.range(0);
  const double width = std::floor(std::sqrt(static_cast<double>(tasks)));
  const Instance instance = generate({.processors = 1000,
                                      .tasks = tasks,
                                      .density = std::min(1.0, 18 / width),
                                      .model = TaskModel::amdahl},
                                     1);
  Metrics metrics;
  for (auto _ : run) {
    metrics = simulate(instance, capped(instance));
    benchmark::DoNotOptimize(metrics);
  }
  run.counters["edges"] = static_cast<double>(instance.graph.edges());
  run.counters["ratio"] = *metrics.ratio;
  run.SetItemsProcessed(run.iterations() * tasks);
}
BENCHMARK(layered_graph)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

// The same, including the time to make the graph.
void layered_graph_generated(benchmark::State& run) {
  for (auto _ : run) {
    benchmark::DoNotOptimize(
        generate({.tasks = run.range(0), .density = 0.018, .model = TaskModel::amdahl}, 1));
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(layered_graph_generated)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void layered_graph_by_earliest_completion(benchmark::State& run) {
  const Instance instance = generate(
      {.processors = 1000, .tasks = run.range(0), .density = 0.1, .model = TaskModel::amdahl}, 1);
  for (auto _ : run) {
    benchmark::DoNotOptimize(simulate(instance, EarliestCompletion(instance)));
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(layered_graph_by_earliest_completion)->Arg(100'000)->Unit(benchmark::kMillisecond);

// The worst case of roofline tasks on 1024 processors: 650,238 tasks.
void worst_case_graph(benchmark::State& run) {
  const WorstCase worst = worst_case(SpeedupModel::roofline, 1024, 0.5).value();
  const Instance instance = build(worst);
  const CappedLpa strategy = capped(instance);
  double makespan = simulate(instance, strategy).makespan;
  if (std::abs(makespan / worst.makespan() - 1) > 1e-9) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  const Plan plan = make_plan(instance, strategy);
  for (auto _ : run) {
    benchmark::DoNotOptimize(makespan = simulate(instance, strategy, plan).makespan);
  }
  run.SetItemsProcessed(run.iterations() * worst.size());
}
BENCHMARK(worst_case_graph)->Unit(benchmark::kMillisecond);

std::vector<Speedup> random_tasks(SpeedupModel model) {
  Stream random({.instance = 3});
  std::vector<Speedup> tasks;
  for (int i = 0; i < 4096; ++i) {
    const double work = std::pow(10, random.uniform(2, 5));
    const double sequential = work * std::pow(10, random.uniform(-8, -1));
    const double overhead = work * std::pow(10, random.uniform(-16, -2));
    const std::int64_t most = random.integer(1, 1'000'000'000);
    tasks.push_back(model == SpeedupModel::roofline        ? Speedup::roofline(work, most)
                    : model == SpeedupModel::communication ? Speedup::communication(work, overhead)
                    : model == SpeedupModel::amdahl
                        ? Speedup::amdahl_of_parts(work, sequential)
                        : Speedup::mix_of_parts(work, sequential, most, overhead));
  }
  return tasks;
}

// Algorithm 4. Arguments: model, processors; items are allocations.
void allocation(benchmark::State& run) {
  const auto model = static_cast<SpeedupModel>(run.range(0));
  const std::int64_t processors = run.range(1);
  const Guarantee guarantee = guarantee_of(model).value();
  const AllocationRule rule{.alpha = guarantee.alpha, .mu = guarantee.mu};
  const std::vector<Speedup> tasks = random_tasks(model);
  for (auto _ : run) {
    for (const Speedup& task : tasks) {
      benchmark::DoNotOptimize(capped_allocation(task, processors, rule));
    }
  }
  run.SetLabel(std::string(name(model)));
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(tasks.size()));
}
BENCHMARK(allocation)
    ->ArgsProduct({{0, 1, 2, 3}, {1'000, 1'000'000, 1'000'000'000}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace holdfast::taskgraph
