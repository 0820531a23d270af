#include "holdfast/algorithms/bandwidth/next_event.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/simulate.hpp"
#include "holdfast/domains/io/strategies.hpp"
#include "holdfast/kernel/random.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string_view>

using namespace holdfast;
using namespace holdfast::io;

namespace {

constexpr std::string_view kNames[] = {"fair-share",
                                       "fcfs",
                                       "greedy-yield",
                                       "greedy-com",
                                       "look-ahead-greedy-yield",
                                       "periodic-greedy-yield",
                                       "set-10",
                                       "best-next-event"};

std::unique_ptr<Strategy> strategy_of(std::string_view name, const Instance& instance,
                                      const Load& load) {
  return make_strategy(parse_strategy(name, strategies()).value(), instance, load).value();
}

// One synthetic window of 60 applications, as in the experiments. Arguments: load in percent, strategy.
void synthetic_window(benchmark::State& state) {
  const std::string_view name = kNames[state.range(1)];
  state.SetLabel(std::string(name));
  const Instance instance =
      generate({.load = static_cast<double>(state.range(0)) / 100}, {.seed = 1}).value();
  const Load load = load_of(instance);
  std::int64_t decisions = 0;
  for (auto _ : state) {
    const auto strategy = strategy_of(name, instance, load);
    const Metrics metrics = simulate(instance, load, *strategy).metrics;
    if (!(metrics.minimum_yield > 0 && metrics.efficiency <= 1)) {
      return state.SkipWithError("wrong answer: not worth timing");
    }
    decisions += metrics.decisions;
  }
  state.SetItemsProcessed(decisions);
}
BENCHMARK(synthetic_window)
    ->ArgsProduct({{80, 110}, {0, 1, 2, 3, 4, 5, 6, 7}})
    ->Unit(benchmark::kMillisecond);

// Many applications with equal phases, the file system nearly full: cost per event. Arguments: m, strategy.
void many_applications(benchmark::State& state) {
  const auto m = static_cast<std::size_t>(state.range(0));
  const std::string_view name = kNames[state.range(1)];
  state.SetLabel(std::string(name));
  Instance instance;
  instance.bandwidth = 1;
  instance.end = 20;
  Stream stream({.seed = 1});
  for (std::size_t i = 0; i < m; ++i) {
    Application application;
    application.id = std::to_string(i);
    application.bandwidth = 1;
    const double share = stream.uniform(0.5, 1.5) / static_cast<double>(m);
    for (int k = 0; k < 4; ++k) {
      application.phases.push_back({Phase::Kind::work, stream.uniform(0.5, 1.5)});
      application.phases.push_back({Phase::Kind::io, share * stream.uniform(0.5, 1.5)});
    }
    application.repeat = true;
    instance.applications.push_back(std::move(application));
  }
  const Load load = load_of(instance);
  std::int64_t decisions = 0;
  for (auto _ : state) {
    const auto strategy = strategy_of(name, instance, load);
    const Metrics metrics = simulate(instance, load, *strategy).metrics;
    if (!(metrics.efficiency > 0.5 && metrics.efficiency <= 1)) {
      return state.SkipWithError("wrong answer: not worth timing");
    }
    decisions += metrics.decisions;
  }
  state.SetItemsProcessed(decisions);
}
BENCHMARK(many_applications)
    ->ArgsProduct({{60, 1000, 10000, 100000}, {0, 1, 2, 3}})
    ->Unit(benchmark::kMillisecond);

// One decision of best-next-event among n pending operations.
void next_event(benchmark::State& state) {
  Stream stream({.seed = 2});
  std::vector<Pending> requests;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(state.range(0)); ++i) {
    const double age = stream.uniform(10, 30);
    requests.push_back({.application = i,
                        .bandwidth = stream.uniform(0.2, 1),
                        .remaining = stream.uniform(0.1, 5),
                        .progress = age * stream.uniform(),
                        .age = age});
  }
  const Situation situation{.bandwidth = 1, .left = 50, .window = 50, .requests = requests};
  bandwidth::NextEventSearch search;
  for (auto _ : state) {
    if (!(search.best(situation, 50).horizon > 0)) return state.SkipWithError("wrong answer");
    benchmark::DoNotOptimize(search.level());
  }
}
BENCHMARK(next_event)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(60)
    ->Arg(200)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
