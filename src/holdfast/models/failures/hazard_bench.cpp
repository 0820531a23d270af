#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/failures/platform_hazard.hpp"
#include "holdfast/models/failures/test_laws.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr double kDay = 86400;
constexpr double kHorizon = 730 * kDay;
constexpr double kSpan = 60 * 3600;

// The law with the most failures, so that everything here costs most: lognormal 2.51.
Law hardest_law() {
  return lognormal_law_of_ratio(kTenYears, 2.51);
}

StreamKey key_of(std::uint64_t scenario) {
  return {
      .seed = 1, .purpose = Purpose::failures, .instance = 0, .scenario = scenario, .entity = 0};
}

std::vector<double> ages_from_a_minute_to_ten_years() {
  std::vector<double> out;
  for (double x = 60; x < kTenYears; x *= 1.0031) out.push_back(x);
  return out;
}

/// Returns the ages of 1e5 processors after a year in which they failed and were renewed.
Ages real_ages() {
  FailureTrace trace =
      FailureTrace::sample(std::make_shared<const TabulatedLaw>(hardest_law()), 100000, key_of(0));
  return trace.ages_at(365 * kDay);
}

void law_itself(benchmark::State& run) {
  const Law law = campaign_laws()[static_cast<std::size_t>(run.range(0))];
  const std::vector<double> x = ages_from_a_minute_to_ten_years();
  std::vector<double> out(x.size());
  for (auto _ : run) {
    law.cumulative_hazards(x, out);
    benchmark::DoNotOptimize(out.data());
  }
  run.SetLabel(law.text());
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(law_itself)->DenseRange(0, 7);  // items: H of one age

void law_from_its_table(benchmark::State& run) {
  const Law law = campaign_laws()[static_cast<std::size_t>(run.range(0))];
  const TabulatedLaw table{law};
  const std::vector<double> x = ages_from_a_minute_to_ten_years();
  for (const double age : x) {
    const HazardValue exact = law.at(age);
    if (exact.cumulative > 1e-7 && !is_near(table.at(age).hazard, exact.hazard, 1e-8)) {
      return run.SkipWithError("the table is wrong: not worth timing");
    }
  }
  for (auto _ : run) {
    double sum = 0;
    for (const double age : x) sum += table.at(age).slope;
    benchmark::DoNotOptimize(sum);
  }
  run.SetLabel(law.text());
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(law_from_its_table)->DenseRange(0, 7);  // items: H, h and h' of one age

void make_law_table(benchmark::State& run) {
  const Law law = hardest_law();
  for (auto _ : run) {
    const TabulatedLaw table{law};
    benchmark::DoNotOptimize(table.mean());
  }
}
BENCHMARK(make_law_table)->Unit(benchmark::kMicrosecond);

void curve_from_ages(benchmark::State& run) {
  const auto accuracy = run.range(0) == 0 ? CurveAccuracy::fast : CurveAccuracy::precise;
  const Law law = hardest_law();
  const TabulatedLaw table{law};
  const Ages all = real_ages();
  const Ages ages = compressed(all);
  HazardCurve curve;
  curve.assign(table, ages, kSpan, accuracy);
  if (!is_near(curve.cumulative(kSpan), platform_cumulative_hazard(law, all, kSpan), 8e-5)) {
    return run.SkipWithError("the curve is wrong: not worth timing");
  }
  for (auto _ : run) {
    curve.assign(table, ages, kSpan, accuracy);
    benchmark::DoNotOptimize(curve.cumulative(kSpan));
  }
  run.counters["groups"] = static_cast<double>(ages.groups.size());
}
BENCHMARK(curve_from_ages)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void compress_ages(benchmark::State& run) {
  const Ages all = real_ages();
  for (auto _ : run) benchmark::DoNotOptimize(compressed(all));
  run.counters["groups"] = static_cast<double>(all.groups.size());
}
BENCHMARK(compress_ages)->Unit(benchmark::kMicrosecond);

void sum_over_ages(benchmark::State& run) {  // the sum that the curve replaces
  const Law law = hardest_law();
  const Ages ages = run.range(0) == 0 ? real_ages() : compressed(real_ages());
  for (auto _ : run) benchmark::DoNotOptimize(platform_hazard(law, ages, 3600));
  run.counters["groups"] = static_cast<double>(ages.groups.size());
}
BENCHMARK(sum_over_ages)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void evaluate_curve(benchmark::State& run) {
  const TabulatedLaw table{hardest_law()};
  HazardCurve curve;
  curve.assign(table, compressed(real_ages()), kSpan, CurveAccuracy::fast);
  std::vector<double> x;
  for (double at = 10; at < kSpan; at *= 1.05) x.push_back(at);
  for (auto _ : run) {
    double sum = 0;
    for (const double at : x) sum += curve.at(at).slope;
    benchmark::DoNotOptimize(sum);
  }
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(evaluate_curve);  // items: Lambda, lambda and lambda' at one x

void curve_after_each_failure(benchmark::State& run) {
  const double start = static_cast<double>(run.range(0)) * kDay;
  const auto table = std::make_shared<const TabulatedLaw>(hardest_law());
  FailureTrace trace = FailureTrace::sample(table, 100000, key_of(0));
  const std::size_t first = trace.index_at(start);
  constexpr std::size_t kFailures = 500;
  trace.reach(first + kFailures);
  PlatformHazard hazard{*table, trace};
  HazardCurve curve;
  const auto after = [&](std::size_t seen) {
    hazard.fill(seen, trace.failures()[seen - 1].date + 66, kSpan, curve);
  };
  after(first + 77);
  const Ages ages = trace.ages_at(first + 77, trace.failures()[first + 76].date + 66);
  if (!is_near(curve.cumulative(kSpan), platform_cumulative_hazard(table->law(), ages, kSpan),
               8e-5)) {
    return run.SkipWithError("the curve is wrong: not worth timing");
  }
  for (auto _ : run) {
    for (std::size_t i = 1; i <= kFailures; ++i) after(first + i);
    benchmark::DoNotOptimize(curve.cumulative(kSpan));
  }
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(kFailures));
}
BENCHMARK(curve_after_each_failure)->Arg(0)->Arg(100)->Arg(365);  // items: curves; epochs exist

void make_epochs(benchmark::State& run) {
  const auto table = std::make_shared<const TabulatedLaw>(hardest_law());
  FailureTrace trace = FailureTrace::sample(table, 100000, key_of(0));
  const std::size_t first = trace.index_at(365 * kDay);
  constexpr std::size_t kFailures = 1024;
  trace.reach(first + kFailures);
  for (auto _ : run) {
    RenewalEpochs epochs{*table, trace};
    for (std::size_t i = 0; i < kFailures; i += 8)
      benchmark::DoNotOptimize(epochs.before(first + i));
  }
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(kFailures));
}
// items: failures that the epochs cover; following 64 000 earlier ones is part of it
BENCHMARK(make_epochs)->Unit(benchmark::kMillisecond);

void draw_trace(benchmark::State& run) {
  const Law law = campaign_laws()[static_cast<std::size_t>(run.range(0))];
  const auto table = std::make_shared<const TabulatedLaw>(law);
  std::int64_t failures = 0;
  std::uint64_t scenario = 0;
  for (auto _ : run) {
    FailureTrace trace = FailureTrace::sample(table, run.range(1), key_of(scenario++), kHorizon);
    trace.reach_date(kHorizon);
    failures += static_cast<std::int64_t>(trace.failures().size());
  }
  run.SetLabel(law.text());
  run.SetItemsProcessed(failures);
}
BENCHMARK(draw_trace)  // items: failures
    ->ArgsProduct({{0, 1, 6}, {1000, 100000}})
    ->Unit(benchmark::kMillisecond);

void first_failures_of_a_million(benchmark::State& run) {
  const auto table = std::make_shared<const TabulatedLaw>(weibull_law_of_mean(0.7, kTenYears));
  std::uint64_t scenario = 0;
  for (auto _ : run) {
    FailureTrace trace = FailureTrace::sample(table, 1000000, key_of(scenario++));
    benchmark::DoNotOptimize(trace.reach(100));
  }
}
BENCHMARK(first_failures_of_a_million)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace holdfast
