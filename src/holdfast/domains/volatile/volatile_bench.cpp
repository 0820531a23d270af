#include "holdfast/domains/volatile/simulate.hpp"
#include "holdfast/domains/volatile/simulate_fast.hpp"
#include "holdfast/domains/volatile/strategies/greedy.hpp"
#include "holdfast/domains/volatile/testing.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

// The published experiment: m tasks, minimum speeds 1, 3, 5 and 8, several platforms, ten trials of
// each. A rate is simulated slots per second of one core.
constexpr std::int64_t kSpeeds[] = {1, 3, 5, 8};
constexpr std::uint64_t kPlatforms = 2;
constexpr std::uint64_t kTrials = 5;
constexpr std::int64_t kSlotLimit = 100'000;

Instance platform(std::int64_t tasks, std::int64_t speed, std::uint64_t index) {
  GeneratorParameters parameters;
  parameters.tasks = tasks;
  parameters.minimum_speed = speed;
  parameters.slot_limit = kSlotLimit;
  return generate(parameters, 1, index).value();
}

std::int64_t slots_of(const Instance& instance, const Metrics& metrics) {
  return metrics.makespan.value_or(instance.slot_limit);
}

// One platform with its trials, whose states are already drawn.
struct Sample {
  explicit Sample(Instance made) : instance{std::move(made)} {
    for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
      states.push_back(drawn_availability(instance, {.scenario = trial}));
      std::size_t record = 0;
      while (states.back()->reach(record)) ++record;
      records += static_cast<std::int64_t>(record);
    }
  }
  Instance instance;
  std::vector<std::unique_ptr<Availability>> states;
  std::int64_t records = 0;
};

const std::vector<std::unique_ptr<Sample>>& samples(std::int64_t tasks) {
  static std::vector<std::unique_ptr<Sample>> five, ten;
  auto& all = tasks == 5 ? five : ten;
  if (all.empty()) {
    for (const std::int64_t speed : kSpeeds) {
      for (std::uint64_t index = 0; index < kPlatforms; ++index) {
        all.push_back(std::make_unique<Sample>(platform(tasks, speed, index)));
      }
    }
  }
  return all;
}

std::int64_t run_fast(const Sample& sample, const StrategySpec& spec) {
  std::int64_t slots = 0;
  Toolbox toolbox(sample.instance);  // as in a campaign: shared data are made once
  const StrategyMaker make = make_strategy(spec, sample.instance).value();
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const ReadyStrategy ready = make(toolbox, {.scenario = trial});
    DecisionTrie* trie = ready.greedy ? &toolbox.trie(ready.estimator, *ready.greedy) : nullptr;
    slots += slots_of(sample.instance,
                      simulate_fast(sample.instance, ready.rules, trie, *sample.states[trial]));
  }
  return slots;
}

std::int64_t run_direct(const Sample& sample, const StrategySpec& spec) {
  std::int64_t slots = 0;
  Toolbox toolbox(sample.instance);
  std::unique_ptr<Evaluator> evaluator;
  const StrategyMaker make = make_strategy(spec, sample.instance).value();
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    ReadyStrategy ready = make(toolbox, {.scenario = trial});
    std::unique_ptr<Greedy> greedy;
    if (ready.greedy) {
      if (!evaluator) {
        evaluator =
            std::make_unique<Evaluator>(sample.instance, ready.estimator, Evaluator::Memory::sets);
      }
      greedy = std::make_unique<Greedy>(*evaluator, *ready.greedy);
      ready.rules.builder = greedy.get();
      ready.rules.evaluator = evaluator.get();
    }
    slots +=
        slots_of(sample.instance, simulate(sample.instance, ready.rules, *sample.states[trial]));
  }
  return slots;
}

enum Path : std::int64_t { kFast, kDirect };

void whole_runs(benchmark::State& run, const char* name) {
  const StrategySpec spec = testing::spec(name);
  const auto& all = samples(run.range(0));
  const auto path = run.range(1) == kFast ? run_fast : run_direct;
  run.SetLabel(run.range(1) == kFast ? "fast" : "direct");
  if (run_fast(*all[0], spec) != run_direct(*all[0], spec)) {
    return run.SkipWithError("the two paths disagree: not worth timing");
  }
  std::int64_t slots = 0;
  for (auto _ : run) {
    for (const auto& sample : all) slots += path(*sample, spec);
  }
  run.SetItemsProcessed(slots);
  run.counters["per_slot"] = benchmark::Counter(
      static_cast<double>(slots), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(whole_runs, e_ie, "e-ie:estimator=paper")
    ->ArgsProduct({{5, 10}, {kFast, kDirect}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_runs, y_ie, "y-ie:estimator=paper")
    ->ArgsProduct({{5, 10}, {kFast, kDirect}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_runs, p_ip, "p-ip:estimator=paper")
    ->ArgsProduct({{5, 10}, {kFast, kDirect}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_runs, e_iay, "e-iay:estimator=paper")
    ->ArgsProduct({{5, 10}, {kFast, kDirect}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_runs, y_iy, "y-iy:estimator=paper")
    ->ArgsProduct({{5, 10}, {kFast, kDirect}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_runs, t_it_restart, "t-it:estimator=restart")
    ->ArgsProduct({{5, 10}, {kFast, kDirect}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_runs, passive_ie, "ie:estimator=paper")
    ->ArgsProduct({{5, 10}, {kFast, kDirect}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_runs, passive_random, "random")
    ->ArgsProduct({{5, 10}, {kFast, kDirect}})
    ->Unit(benchmark::kMillisecond);

// Passive rules: the time of a run per change of the states.
void passive_events(benchmark::State& run, const char* name) {
  const StrategySpec spec = testing::spec(name);
  const auto& all = samples(run.range(0));
  double events = 0;
  for (auto _ : run) {
    for (const auto& sample : all) {
      const double share = static_cast<double>(run_fast(*sample, spec)) /
                           static_cast<double>(sample->instance.slot_limit) /
                           static_cast<double>(kTrials);
      events += share * static_cast<double>(sample->records);
    }
  }
  run.counters["per_event"] =
      benchmark::Counter(events, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(passive_events, ie, "ie:estimator=paper")
    ->Arg(5)
    ->Arg(10)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(passive_events, fastest, "fastest")
    ->Arg(5)
    ->Arg(10)
    ->Unit(benchmark::kMillisecond);

// Drawing the states of 20 workers.
void draw_states(benchmark::State& run) {
  const Instance instance = platform(5, 1, 0);
  std::int64_t slots = 0;
  std::uint64_t trial = 0;
  for (auto _ : run) {
    const auto states = drawn_availability(instance, {.scenario = ++trial});
    std::size_t record = 0;
    while (states->reach(record)) ++record;
    slots += instance.slot_limit;
    benchmark::DoNotOptimize(record);
  }
  run.SetItemsProcessed(slots);
  run.counters["per_slot"] = benchmark::Counter(
      static_cast<double>(slots), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(draw_states)->Unit(benchmark::kMillisecond);

// The values of one set: closed form against series.
void set_of_workers(benchmark::State& run) {
  const Instance instance = platform(10, 1, 0);
  std::vector<UpChain> chains;
  std::vector<const UpChain*> members;
  for (std::int64_t q = 0; q < run.range(0); ++q) {
    chains.emplace_back(*instance.workers[static_cast<std::size_t>(q)].markov);
  }
  members.reserve(chains.size());
  for (const UpChain& chain : chains) members.push_back(&chain);
  const auto by = run.range(1) == 0 ? set_values_by_terms : set_values_by_series;
  run.SetLabel(run.range(1) == 0 ? "closed form" : "series");
  for (auto _ : run) benchmark::DoNotOptimize(by(members));
}
BENCHMARK(set_of_workers)->ArgsProduct({{2, 4, 6, 8, 10}, {0, 1}});

}  // namespace
