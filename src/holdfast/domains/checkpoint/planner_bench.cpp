#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/algorithms/checkpoints/grid.hpp"
#include "holdfast/algorithms/checkpoints/objective.hpp"
#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/algorithms/checkpoints/published.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

constexpr double kDay = 86400;
constexpr double kTenYears = 10 * 365 * kDay;

// 100 000 processors, 100 days after their birth: some 7000 distinct ages.
struct Platform {
  std::shared_ptr<const TabulatedLaw> law =
      std::make_shared<const TabulatedLaw>(weibull_law_of_mean(0.7, kTenYears));
  FailureTrace trace = FailureTrace::sample(law, 100'000, {.purpose = Purpose::failures});
  PlatformHazard hazard{*law, trace};
  Ages ages = trace.ages_at(100 * kDay);
};

Platform& platform() {
  static Platform one;
  return one;
}

double share(checkpoints::Outlook& outlook, std::span<const double> cuts, double checkpoint) {
  const double end = cuts.back() + checkpoint * static_cast<double>(cuts.size());
  return checkpoints::evaluate(outlook.curve(end), cuts, checkpoint, checkpoint).share;
}

constexpr double kWork = 48 * 3600;
constexpr double kCheckpoint = 60;
// Young/Daly's period for 100 000 processors of that mean.
const double kPeriod = std::sqrt(2 * kCheckpoint * kTenYears / 100'000);

// The work of `holdfast checkpoint plan`: everything from the ages to the plan.
void continuous_plan_from_ages(benchmark::State& run) {
  const Platform& nodes = platform();
  std::size_t checkpoints = 0;
  for (auto _ : run) {
    checkpoints::AgesOutlook outlook(*nodes.law, nodes.ages);
    checkpoints::ContinuousPlanner planner(kCheckpoint, {}, checkpoints::Goal::share, kPeriod);
    checkpoints = planner.plan(outlook, kWork).size();
  }
  checkpoints::AgesOutlook outlook(*nodes.law, nodes.ages);
  checkpoints::GridPlanner grid(kCheckpoint, {}, checkpoints::Goal::share);
  checkpoints::ContinuousPlanner planner(kCheckpoint, {}, checkpoints::Goal::share, kPeriod);
  const double best = share(outlook, planner.plan(outlook, kWork), kCheckpoint);
  if (best < share(outlook, grid.plan(outlook, kWork, 60), kCheckpoint)) {
    return run.SkipWithError("wrong answer: the grid does better");
  }
  run.counters["checkpoints"] = static_cast<double>(checkpoints);
  run.counters["groups"] = static_cast<double>(nodes.ages.groups.size());
}
BENCHMARK(continuous_plan_from_ages)->Unit(benchmark::kMicrosecond);

// A machine of 2000 nodes, each with an age of its own.
void continuous_plan_from_an_inventory(benchmark::State& run) {
  const TabulatedLaw law(weibull_law_of_mean(0.7, kTenYears));
  std::vector<AgeGroup> groups;
  for (int i = 0; i < 2000; ++i) groups.push_back({60 + 0.5 * kDay * i, 50});
  const Ages ages = make_ages(groups);
  std::size_t checkpoints = 0;
  for (auto _ : run) {
    checkpoints::AgesOutlook outlook(law, ages);
    checkpoints::ContinuousPlanner planner(kCheckpoint, {}, checkpoints::Goal::share, kPeriod);
    checkpoints = planner.plan(outlook, kWork).size();
  }
  checkpoints::AgesOutlook outlook(law, ages);
  const double seen = outlook.curve(kWork).cumulative(kWork);
  if (std::fabs(seen - platform_cumulative_hazard(law.law(), ages, kWork)) > 1e-9 * seen)
    return run.SkipWithError("wrong answer: the hazard is not exact");
  run.counters["checkpoints"] = static_cast<double>(checkpoints);
}
BENCHMARK(continuous_plan_from_an_inventory)->Unit(benchmark::kMicrosecond);

// The work of a simulation after each failure.
void continuous_plan_in_a_simulation(benchmark::State& run) {
  Platform& nodes = platform();
  checkpoints::TraceOutlook outlook(&nodes.hazard);
  const std::size_t first = nodes.trace.index_at(100 * kDay);
  nodes.trace.reach(first + 64);
  checkpoints::ContinuousPlanner planner(kCheckpoint, {}, checkpoints::Goal::share, kPeriod);
  std::size_t checkpoints = 0;
  std::size_t seen = first;
  for (auto _ : run) {
    outlook.move_to(seen, nodes.trace.failures()[seen - 1].date + 66);
    checkpoints = planner.plan(outlook, kWork).size();
    seen = seen + 1 < first + 64 ? seen + 1 : first;
  }
  if (checkpoints < 50 || checkpoints > 500)
    return run.SkipWithError("wrong answer: not the plan that was meant");
  run.counters["checkpoints"] = static_cast<double>(checkpoints);
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(continuous_plan_in_a_simulation)->Unit(benchmark::kMicrosecond);

void grid_plan(benchmark::State& run) {
  const Platform& nodes = platform();
  checkpoints::AgesOutlook outlook(*nodes.law, nodes.ages);
  checkpoints::GridPlanner grid(kCheckpoint, {}, checkpoints::Goal::share);
  const double quantum = kWork / static_cast<double>(run.range(0));
  std::size_t checkpoints = 0;
  for (auto _ : run) checkpoints = grid.plan(outlook, kWork, quantum).size();
  checkpoints::ContinuousPlanner planner(kCheckpoint, {}, checkpoints::Goal::share, kPeriod);
  const double best = share(outlook, planner.plan(outlook, kWork), kCheckpoint);
  const double found = share(outlook, grid.plan(outlook, kWork, quantum), kCheckpoint);
  if (found > best * (1 + 1e-9) || found < best * (1 - 3e-3))
    return run.SkipWithError("wrong answer");
  run.counters["checkpoints"] = static_cast<double>(checkpoints);
}
BENCHMARK(grid_plan)->Arg(2880)->Arg(28800)->Unit(benchmark::kMillisecond);

// The published recursion and the grid on the largest problem that the recursion solves quickly.
std::vector<double> small_survival(std::size_t work, std::size_t checkpoint) {
  const TabulatedLaw law(weibull_law_of_mean(0.5, 1000));
  checkpoints::AgesOutlook outlook(law, make_ages({{0, 1}, {50, 1}, {200, 1}}));
  std::vector<double> survival(work * (1 + checkpoint) + 1);
  std::iota(survival.begin(), survival.end(), 0.0);
  outlook.cumulative(survival, survival);
  for (double& s : survival) s = std::exp(-s);
  return survival;
}

void published_recursion(benchmark::State& run) {
  const auto work = static_cast<std::size_t>(run.range(0));
  const auto survival = small_survival(work, 2);
  double best = 0;
  for (auto _ : run) {
    checkpoints::PublishedRecursion recursion(survival, work, 2);
    for (std::size_t count = 1; count <= work; ++count) best = recursion.best(count);
  }
  if (work == 60 && std::fabs(best - 38.65) > 0.5) return run.SkipWithError("wrong answer");
}
BENCHMARK(published_recursion)->Arg(15)->Arg(30)->Arg(60)->Unit(benchmark::kMillisecond);

void grid_plan_of_the_same(benchmark::State& run) {
  const auto work = static_cast<double>(run.range(0));
  const TabulatedLaw law(weibull_law_of_mean(0.5, 1000));
  checkpoints::AgesOutlook outlook(law, make_ages({{0, 1}, {50, 1}, {200, 1}}));
  checkpoints::GridPlanner grid(2, {}, checkpoints::Goal::share);
  std::size_t checkpoints = 0;
  for (auto _ : run) checkpoints = grid.plan(outlook, work, 1).size();
  if (run.range(0) == 60 && checkpoints != 3) return run.SkipWithError("wrong answer");
}
BENCHMARK(grid_plan_of_the_same)->Arg(15)->Arg(30)->Arg(60)->Unit(benchmark::kMillisecond);

}  // namespace
