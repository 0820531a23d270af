// The experiments' default setting (32 machines of 24 cores), and first fit on thousands of machines.
#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/simulate.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

namespace holdfast::capacity {
namespace {

constexpr std::int64_t kWeek = 604800;

StrategyMaker maker_of(std::string_view strategy, const Instance& instance) {
  const auto table = strategies();
  return make_strategy(parse_strategy(strategy, table).value(), instance,
                       Stream({.purpose = Purpose::strategy}))
      .value();
}

/// Times one run. Its metrics must account for every job, and some runs must be killed.
void run_strategy(benchmark::State& state, const Instance& instance, std::string_view strategy) {
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

const std::vector<std::pair<std::string, Family>>& families() {
  static const std::vector<std::pair<std::string, Family>> kFamilies = {
      {"uniform", Family::uniform},
      {"log-scale", Family::log_scale},
      {"three-types", Family::three_types}};
  return kFamilies;
}

/// First fit on 4096 machines with a million jobs in the window: each job of a smaller instance 128 times.
void million_jobs(benchmark::State& state) {
  constexpr std::int64_t kCopies = 128;
  Instance instance =
      generate({.jobs = 11'800, .mean_machines = 3072, .machine_range = 1024}, 1, 0, 0);
  const std::vector<Job> jobs = std::exchange(instance.jobs, {});
  for (const Job& job : jobs) {
    for (std::int64_t k = 0; k < kCopies; ++k) {
      instance.jobs.push_back(job);
      instance.jobs.back().release += k;
    }
  }
  run_strategy(state, instance, "first-fit-aware");
}
BENCHMARK(million_jobs)->Unit(benchmark::kMillisecond);

/// A week of 20 000 jobs under profile author, two weeks of 13 500 under the text's.
const bool kRegistered = [] {
  for (const auto& [period, profile] :
       {std::pair("week", Profile::author), std::pair("two-weeks", Profile::standard)}) {
    for (const auto& [name, family] : families()) {
      for (const char* strategy :
           {"first-fit-aware", "target-stretch", "target-asap", "packed-target-asap"}) {
        benchmark::RegisterBenchmark(
            (std::string(period) + "/" + name + "/" + strategy).c_str(),
            [=](benchmark::State& state) {
              run_strategy(state, generate(published(family, profile), 1, 0, 0), strategy);
            })
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace holdfast::capacity
