// The experiments' default setting (32 machines of 24 cores), and first fit on thousands of machines.
#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/simulate.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace holdfast::capacity {
namespace {

constexpr std::int64_t kWeek = 604800;

StrategyMaker maker_of(std::string_view strategy, const Instance& instance) {
  const auto table = strategy_entries();
  return make_strategy(parse_strategy(strategy, table).value(), instance,
                       Stream({.purpose = Purpose::strategy}))
      .value();
}

/// One run: a week at the published size. The answer must close its books and lose work now and then.
void run_strategy(benchmark::State& state, const GeneratorParameters& parameters,
                  std::string_view strategy) {
  const Instance instance = generate(parameters, 1, 0, 0);
  const std::vector<Task> tasks = tasks_of(instance);
  const StrategyMaker maker = maker_of(strategy, instance);
  std::int64_t events = 0;
  for (auto _ : state) {
    const Metrics metrics = simulate(instance, tasks, maker);
    events = 2 * metrics.completed + metrics.running + 2 * metrics.kills;
    const std::int64_t jobs =
        metrics.completed + metrics.running + metrics.waiting + metrics.dropped;
    if (jobs != static_cast<std::int64_t>(tasks.size()) || metrics.kills == 0) {
      return state.SkipWithError("wrong answer: not worth timing");
    }
    benchmark::DoNotOptimize(events);
  }
  state.SetItemsProcessed(state.iterations() * events);  // starts and ends
  state.counters["jobs"] = static_cast<double>(tasks.size());
}

GeneratorParameters published(Family family, Profile profile) {
  GeneratorParameters p{.family = family, .profile = profile};
  p.begin = profile == Profile::author ? 2 * kWeek : kWeek;
  return p;
}

void week(benchmark::State& state, Family family, std::string_view strategy) {
  run_strategy(state, published(family, Profile::author), strategy);
}
void two_weeks(benchmark::State& state, Family family, std::string_view strategy) {
  run_strategy(state, published(family, Profile::standard), strategy);
}

#define HOLDFAST_STRATEGIES(function, family, name)                                        \
  BENCHMARK_CAPTURE(function, name / first - fit - aware, family, "first-fit-aware")       \
      ->Unit(benchmark::kMillisecond);                                                     \
  BENCHMARK_CAPTURE(function, name / target - stretch, family, "target-stretch")           \
      ->Unit(benchmark::kMillisecond);                                                     \
  BENCHMARK_CAPTURE(function, name / target - asap, family, "target-asap")                 \
      ->Unit(benchmark::kMillisecond);                                                     \
  BENCHMARK_CAPTURE(function, name / packed - target - asap, family, "packed-target-asap") \
      ->Unit(benchmark::kMillisecond)
// Names of benchmarks are no expressions. clang-format off
HOLDFAST_STRATEGIES(week, Family::uniform, uniform);
HOLDFAST_STRATEGIES(week, Family::log_scale, log - scale);
HOLDFAST_STRATEGIES(week, Family::three_types, three - types);
HOLDFAST_STRATEGIES(two_weeks, Family::uniform, uniform);
HOLDFAST_STRATEGIES(two_weeks, Family::log_scale, log - scale);
HOLDFAST_STRATEGIES(two_weeks, Family::three_types, three - types);
// clang-format on
#undef HOLDFAST_STRATEGIES

/// First fit on 4096 machines with a million jobs in the window.
void million_jobs(benchmark::State& state) {
  GeneratorParameters p{.jobs = 1'500'000, .mean_machines = 3072, .machine_range = 1024};
  run_strategy(state, p, "first-fit-aware");
}
BENCHMARK(million_jobs)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace holdfast::capacity
