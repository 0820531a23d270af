#include "holdfast/kernel/samplers.hpp"
#include "holdfast/models/failures/fit.hpp"
#include "holdfast/models/failures/fit_curve.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

using namespace holdfast;

namespace {

/// Returns a million Weibull lives, about 30 % of them censored.
const std::vector<Lifetime>& million_lives() {
  static const std::vector<Lifetime> lives = [] {
    Stream stream{{.seed = 1, .purpose = Purpose::tool}};
    std::vector<Lifetime> out;
    for (int i = 0; i < 1'000'000; ++i) {
      const double age = sample_weibull(stream, 0.7, 1e6);
      const double end = sample_exponential(stream, 2.2e6);
      out.push_back(age < end ? Lifetime::exact(age) : Lifetime::censored(end));
    }
    return out;
  }();
  return lives;
}

/// Times the way from lifetimes to the law with all intervals. items_per_second = lives.
void fit_million(benchmark::State& run, LawFamily family) {
  const auto& lives = million_lives();
  const auto fit = fit_law(family, lives);
  if (!fit) return run.SkipWithError("no fit");
  if (family == LawFamily::weibull && std::abs(fit->parameter("shape").value - 0.7) > 0.003) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  for (auto _ : run) {
    auto again = fit_law(family, lives);
    benchmark::DoNotOptimize(again);
  }
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(lives.size()));
}
BENCHMARK_CAPTURE(fit_million, exponential, LawFamily::exponential)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_million, weibull, LawFamily::weibull)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_million, lognormal, LawFamily::lognormal)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_million, gamma, LawFamily::gamma)->Unit(benchmark::kMillisecond);

void compare_laws_million(benchmark::State& run) {
  for (auto _ : run) {
    auto table = compare_laws(*LifetimeSample::make(million_lives()));
    benchmark::DoNotOptimize(table);
  }
}
BENCHMARK(compare_laws_million)->Unit(benchmark::kMillisecond);

void fit_thousand(benchmark::State& run, LawFamily family) {
  const auto lives = std::span(million_lives()).first(1000);
  for (auto _ : run) {
    auto fit = fit_law(family, lives);
    benchmark::DoNotOptimize(fit);
  }
}
BENCHMARK_CAPTURE(fit_thousand, weibull, LawFamily::weibull)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit_thousand, gamma, LawFamily::gamma)->Unit(benchmark::kMicrosecond);

void survival_curve_million(benchmark::State& run) {
  for (auto _ : run) {
    SurvivalCurve curve{million_lives()};
    benchmark::DoNotOptimize(curve);
  }
}
BENCHMARK(survival_curve_million)->Unit(benchmark::kMillisecond);

}  // namespace
