// Speeds on which the experiments depend: making a graph of 50 000 tasks and its simulator, and single runs.
#include "holdfast/domains/workflow/generator.hpp"
#include "holdfast/domains/workflow/simulate.hpp"
#include "holdfast/domains/workflow/strategies.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

namespace holdfast::workflow {
namespace {

Instance experiment(Family family, std::int64_t tasks = 50'000, std::int64_t processors = 16'384) {
  Generated workflow = generate({.family = family, .tasks = tasks, .scale = Scale::author}, 1, 0);
  Instance out;
  out.processors = processors;
  out.mtbf = 10 * 365 * 86400.0;
  out.graph = std::move(workflow.graph);
  out.lengths = std::move(workflow.lengths);
  out.checkpoints = out.recoveries = {60};
  return out;
}

struct Bench {
  explicit Bench(Instance from) : instance{std::move(from)}, prepared{instance} {
    const auto table = strategies();
    const auto spec = parse_strategy("min-exp", table).value();
    simulator = std::make_unique<Simulator>(
        prepared, decided(prepared, *make_strategy(spec, instance).value()));
  }
  Metrics run(std::uint64_t scenario) {
    const StreamKey key{.purpose = Purpose::failures, .scenario = scenario};
    prepared.failures.draw(key, first);
    return simulator->run(key, first);
  }
  Instance instance;
  PreparedInstance prepared;
  std::unique_ptr<Simulator> simulator;
  std::vector<FirstFailure> first;
};

bool is_right(Bench& bench) {
  for (std::uint64_t scenario = 0; scenario < 3; ++scenario) {
    if (bench.run(scenario).makespan != bench.simulator->replay_whole()) return false;
  }
  return true;
}

/// A whole run with drawn failures, without skipping any task.
void run_whole(benchmark::State& state, Family family, std::int64_t tasks) {
  Bench bench(experiment(family, tasks));
  if (!is_right(bench)) return state.SkipWithError("wrong answer: not worth timing");
  std::uint64_t scenario = 0;
  for (auto _ : state) {
    bench.run(scenario++);  // its cost, which is that of the next benchmark, is included here
    benchmark::DoNotOptimize(bench.simulator->replay_whole());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(bench.instance.size()));
}

/// A run as campaigns make it: from the first failure on.
void run(benchmark::State& state, Family family, std::int64_t tasks) {
  Bench bench(experiment(family, tasks));
  if (!is_right(bench)) return state.SkipWithError("wrong answer: not worth timing");
  std::uint64_t scenario = 0;
  for (auto _ : state) benchmark::DoNotOptimize(bench.run(scenario++));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(bench.instance.size()));
}

/// All preparations: graph, schedule, concurrency, one strategy.
void prepare(benchmark::State& state, Family family) {
  for (auto _ : state) benchmark::DoNotOptimize(Bench(experiment(family)).simulator.get());
  state.SetItemsProcessed(state.iterations() * 50'000);
}

BENCHMARK_CAPTURE(run_whole, blast, Family::blast, 50'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_whole, genome, Family::genome, 50'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_whole, seismology, Family::seismology, 50'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_whole, cycles, Family::cycles, 50'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_whole, blast_million, Family::blast, 1'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, blast, Family::blast, 50'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, genome, Family::genome, 50'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, seismology, Family::seismology, 50'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, srasearch, Family::srasearch, 50'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, blast_million, Family::blast, 1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare, blast, Family::blast)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare, cycles, Family::cycles)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace holdfast::workflow
