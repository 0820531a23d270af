// The experiments' default setting: 500 jobs on 7500 processors, 1e-7 errors per second of work.
#include "holdfast/domains/moldable/generator.hpp"
#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/domains/moldable/strategies/lpa.hpp"
#include "holdfast/domains/moldable/strategies/lpa_ratio.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

namespace holdfast::moldable {
namespace {

constexpr int kScenarios = 100;

std::unique_ptr<Strategy> make(std::string_view text, const Instance& instance) {
  const auto table = strategies();
  return make_strategy(*parse_strategy(text, table), instance).value();
}

// One job set, 100 scenarios, from the bare instance: allocation, failures, schedules. Returns the
// mean ratio to the lower bound.
double hundred_scenarios(const Instance& instance, const Strategy& strategy) {
  const PreparedInstance prepared(instance);
  Simulator simulator(prepared, strategy);
  double sum = 0;
  for (std::uint64_t scenario = 0; scenario < kScenarios; ++scenario) {
    ErrorRealisation errors =
        errors_of(prepared, {.purpose = Purpose::failures, .scenario = scenario});
    sum += simulator.run(errors).ratio;
  }
  return sum / kScenarios;
}

void scenarios(benchmark::State& run, const char* strategy) {
  const auto family = static_cast<Family>(run.range(0));
  const Instance instance = generate({.model = family}, 1, 0);
  const auto rule = make(strategy, instance);
  run.SetLabel(std::string(kFamilies[static_cast<std::size_t>(family)]));
  if (const double ratio = hundred_scenarios(instance, *rule); !(ratio >= 1 && ratio < 4.2)) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  for (auto _ : run) benchmark::DoNotOptimize(hundred_scenarios(instance, *rule));
}
BENCHMARK_CAPTURE(scenarios, lpa_ratio, "lpa-ratio")
    ->DenseRange(0, 5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scenarios, batch, "batch")->DenseRange(0, 5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scenarios, batch_fit, "batch-fit")
    ->DenseRange(0, 5)
    ->Unit(benchmark::kMillisecond);

// LIST alone: attempts per second, failures at their highest rate.
void list_alone(benchmark::State& run) {
  const Instance instance = generate({.model = Family::communication, .error_rate = 1e-6}, 1, 0);
  const auto rule = make("lpa-ratio", instance);
  const PreparedInstance prepared(instance);
  Simulator simulator(prepared, *rule);
  const auto failures = errors_of(prepared, {.purpose = Purpose::failures}).failures();
  std::int64_t attempts = 0;
  for (const std::int64_t f : failures) attempts += f + 1;
  ErrorRealisation errors;
  for (auto _ : run) {
    errors.fix(failures);
    benchmark::DoNotOptimize(simulator.run(errors));
  }
  run.SetItemsProcessed(run.iterations() * attempts);
}
BENCHMARK(list_alone)->Unit(benchmark::kMicrosecond);

void a_million_jobs(benchmark::State& run) {
  const Instance instance =
      generate({.model = Family::mix, .jobs = 1'000'000, .error_rate = 0}, 1, 0);
  const std::vector<std::int64_t> none(instance.size(), 0);
  for (auto _ : run) {
    const PreparedInstance prepared(instance);
    const auto rule = make("lpa", instance);
    Simulator simulator(prepared, *rule);
    ErrorRealisation errors;
    errors.fix(none);
    benchmark::DoNotOptimize(simulator.run(errors).makespan);
  }
  run.SetItemsProcessed(run.iterations() * 1'000'000);
}
BENCHMARK(a_million_jobs)->Unit(benchmark::kMillisecond);

// The allocation of 500 jobs by the size of the machine: a scan would be linear in it.
template <std::int64_t (*allocate)(const Speedup&, const Limits&, std::int64_t)>
void allocation(benchmark::State& run) {
  const std::int64_t processors = run.range(0);
  const auto family = static_cast<Family>(run.range(1));
  const Instance instance = generate({.model = family, .processors = processors}, 1, 0);
  run.SetLabel(std::string(kFamilies[static_cast<std::size_t>(family)]));
  for (auto _ : run) {
    std::int64_t sum = 0;
    for (const Speedup& job : instance.jobs) {
      sum += allocate(job, limits(job, processors), processors);
    }
    benchmark::DoNotOptimize(sum);
  }
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(instance.size()));
}
std::int64_t by_lpa_ratio(const Speedup& job, const Limits& limits, std::int64_t processors) {
  return lpa_ratio(job, limits, processors);
}
std::int64_t by_lpa(const Speedup& job, const Limits& limits, std::int64_t processors) {
  return lpa(job, limits, processors, default_alpha(job.model(), processors));
}
const auto kSizes = benchmark::CreateRange(1000, 1'000'000'000, 1000);
BENCHMARK(allocation<by_lpa>)->ArgsProduct({kSizes, {1, 2, 5}})->Unit(benchmark::kMicrosecond);
BENCHMARK(allocation<by_lpa_ratio>)
    ->ArgsProduct({kSizes, {1, 2, 5}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace holdfast::moldable
