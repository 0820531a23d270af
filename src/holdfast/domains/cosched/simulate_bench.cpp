#include "holdfast/domains/cosched/generator.hpp"
#include "holdfast/domains/cosched/simulate.hpp"
#include "holdfast/domains/cosched/strategies.hpp"

#include <benchmark/benchmark.h>

using namespace holdfast;
using namespace holdfast::cosched;

namespace {

// One whole run: Algorithm 1, drawing failures, events and decisions to the end. Arguments: tasks, processors, strategy.
void whole_run(benchmark::State& state) {
  constexpr std::string_view kStrategies[] = {
      "none", "iterated-greedy-end-local", "iterated-greedy-end-greedy",
      "shortest-tasks-first-end-local:literal", "shortest-tasks-first-end-greedy:literal"};
  const std::string_view name = kStrategies[state.range(2)];
  state.SetLabel(std::string(name));
  const auto entries = strategies();
  const auto spec = parse_strategy(name, entries).value();
  const GeneratorParameters parameters{.tasks = state.range(0), .processors = state.range(1)};
  std::uint64_t run = 0;
  for (auto _ : state) {
    const Instance instance =
        generate(parameters, Stream({.purpose = Purpose::instance, .instance = run % 16}));
    const auto times = task_times(instance);
    const Strategy rules = make_strategy(spec, instance).value();
    const Run result =
        simulate(instance, times, initial_allocation(times, instance.even_processors()), rules,
                 draw_failures(instance, 1, run % 16, 0));
    if (!(result.metrics.makespan > 0))
      return state.SkipWithError("wrong answer: not worth timing");
    benchmark::DoNotOptimize(result.metrics.makespan);
    ++run;
  }
}
BENCHMARK(whole_run)
    ->ArgsProduct({{100}, {1000, 5000}, {0, 1, 2, 3, 4}})
    ->ArgsProduct({{1000}, {5000}, {0, 1, 2, 3, 4}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
