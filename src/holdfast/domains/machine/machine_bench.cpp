#include "holdfast/domains/machine/instance_io.hpp"
#include "holdfast/domains/machine/realisation.hpp"
#include "holdfast/domains/machine/simulate.hpp"
#include "holdfast/domains/machine/strategies.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string_view>

using namespace holdfast;
using namespace holdfast::machine;

namespace {

constexpr std::string_view kNames[] = {"most-overdue", "shortest-weighted", "least-waste", "fcfs",
                                       "node-share",   "fair-share",        "greedy-yield"};

std::shared_ptr<const TabulatedLaw> law_of(const Instance& instance) {
  return std::make_shared<const TabulatedLaw>(*instance.law);
}

void run_all(benchmark::State& state, const Instance& instance, std::string_view name) {
  const auto spec = parse_strategy(name, strategies()).value();
  Realisation realisation(instance, law_of(instance), {.seed = 1});
  std::int64_t events = 0;
  for (auto _ : state) {
    Strategy strategy = make_strategy(spec, instance).value();
    const Run run = simulate(instance, strategy, realisation);
    const double capacity = static_cast<double>(instance.nodes) * (run.end - instance.warmup);
    if (!(std::abs(run.all.account.total() / capacity - 1) < 1e-9)) {
      return state.SkipWithError("the account does not close: not worth timing");
    }
    events += run.events;
  }
  state.SetLabel(std::string(name));
  state.SetItemsProcessed(events);
}

// The static mix of the Cielo experiment, 160 days. Arguments: bandwidth in GB/s, strategy.
void static_mix(benchmark::State& state) {
  Instance instance;
  instance.nodes = 17235;
  instance.bandwidth = static_cast<double>(state.range(0)) * 1e9;
  instance.horizon = 160 * 86400.0;
  instance.warmup = 10 * 86400.0;
  instance.law = exponential_law(17784 * 3600.0);
  instance.groups = {"EAP", "LAP", "Silverton", "VPIC"};
  struct Row {
    int count;
    std::int64_t nodes;
    double checkpoint;
  };
  constexpr Row kRows[] = {
      {12, 1024, 52428.8e9}, {4, 256, 15155.2e9}, {1, 2048, 229376e9}, {1, 1875, 51000e9}};
  for (std::uint32_t group = 0; group < 4; ++group) {
    for (int i = 0; i < kRows[group].count; ++i) {
      instance.jobs.push_back({.group = group,
                               .nodes = kRows[group].nodes,
                               .checkpoint = kRows[group].checkpoint,
                               .recovery = kRows[group].checkpoint});
    }
  }
  run_all(state, instance, kNames[state.range(1)]);
}
BENCHMARK(static_mix)
    ->ArgsProduct({{160, 40}, {0, 1, 2, 3, 4, 5, 6}})
    ->Unit(benchmark::kMillisecond);

// Many jobs of equal classes, the file system nearly full: cost per event. Arguments: jobs, strategy.
void many_jobs(benchmark::State& state) {
  const std::int64_t count = state.range(0);
  Instance instance;
  instance.nodes = 10 * count;
  instance.bandwidth = 1;
  instance.horizon = 2e5;
  instance.law = exponential_law(1e6);
  instance.groups = {"all"};
  for (std::int64_t i = 0; i < count; ++i) {
    const double checkpoint =
        100.0 / static_cast<double>(count) * (1 + 0.001 * static_cast<double>(i));
    instance.jobs.push_back(
        {.nodes = 10, .checkpoint = checkpoint, .recovery = checkpoint, .period = 100});
  }
  run_all(state, instance, kNames[state.range(1)]);
}
BENCHMARK(many_jobs)
    ->ArgsProduct({{20, 500}, {0, 1, 2, 3, 4, 5, 6}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
