// The experiments' default setting (32 machines of 24 cores), first fit on thousands of machines, and questions of a running system.
#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/live/advance.hpp"
#include "holdfast/domains/capacity/simulate.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
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

using What = LiveEvent::What;

/// A running system of 1000 machines that are full, with 10 000 jobs that wait.
struct Running {
  World world;
  StrategySpec policy;
  Stream stream{{.purpose = Purpose::instance}};
  std::int64_t next = 0;

  explicit Running(std::string_view name) {
    constexpr std::int64_t kMachines = 1000;
    const auto table = strategies();
    policy = parse_strategy(name, table).value();
    world.rules.cores = 24;
    world.rules.machines = kMachines;
    world.rules.safe_machines = kMachines / 2;
    world.is_up.assign(kMachines, 0);
    for (std::int64_t m = 0; m < kMachines; ++m) world.machines.push_back(std::to_string(m));
    for (int i = 0; i < 2000; ++i) {
      world.rules.reference.push_back({stream.integer(60, 36000), stream.integer(4, 12)});
    }
    std::vector<LiveEvent> events = {{.what = What::capacity, .at = 1, .count = kMachines}};
    while (next < 13'000) events.push_back(submission(1));
    advance(world, events, policy).value();
    confirm();
  }

  /// What is to start has started.
  void confirm() {
    std::vector<LiveEvent> events;
    for (const LiveJob& job : world.jobs) {
      if (job.phase != LiveJob::Phase::starting) continue;
      events.push_back({.what = What::started,
                        .at = world.now + 1,
                        .job = job.id,
                        .machines = {world.machines[*job.machine]}});
    }
    if (!events.empty()) advance(world, events, policy).value();
  }

  LiveEvent submission(std::int64_t at) {
    return {.what = What::submitted,
            .at = at,
            .job = std::to_string(next++),
            .cores = stream.integer(4, 12),
            .length = stream.integer(60, 36000)};
  }
  LiveEvent event(What what) {
    const std::int64_t at = world.now + (what == What::tick ? 0 : 1);  // nothing is due
    if (what == What::submitted) return submission(at);
    LiveEvent out{.what = what, .at = at};
    if (what == What::ended) {
      out.job = std::find_if(world.jobs.begin(), world.jobs.end(), [](const LiveJob& job) {
                  return job.phase == LiveJob::Phase::running;
                })->id;
    }
    if (what == What::machine_down)
      out.machines = {world.machines[static_cast<std::size_t>(at % 1000)]};
    return out;
  }
};

/// One question of a server: an event, and what the policy says.
void live(benchmark::State& state, What what, std::string_view policy = "packed-target-asap") {
  Running system(policy);
  const auto before = static_cast<std::int64_t>(system.world.jobs.size());
  std::int64_t came = 0, moves = 0;
  for (auto _ : state) {
    const std::vector<LiveEvent> events = {system.event(what)};
    came += what == What::submitted ? 1 : what == What::ended ? -1 : 0;
    const auto advice = advance(system.world, events, system.policy);
    if (!advice || static_cast<std::int64_t>(system.world.jobs.size()) != before + came) {
      return state.SkipWithError("wrong answer: not worth timing");
    }
    moves += std::ssize(advice->moves);
    if (what != What::ended) continue;
    state.PauseTiming();
    system.confirm();
    state.ResumeTiming();
  }
  state.counters["moves"] =
      benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kAvgIterations);
}
BENCHMARK_CAPTURE(live, tick, What::tick)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(live, submitted, What::submitted)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(live, ended, What::ended)->Unit(benchmark::kMicrosecond)->Iterations(2000);
BENCHMARK_CAPTURE(live, ended_easy, What::ended, "easy")
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(2000);
BENCHMARK_CAPTURE(live, node_down, What::machine_down)
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(50);
BENCHMARK_CAPTURE(live, node_down_easy, What::machine_down, "easy")
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(50);

}  // namespace
}  // namespace holdfast::capacity
