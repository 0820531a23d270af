#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <benchmark/benchmark.h>

namespace holdfast {
namespace {

/// Times uniform numbers; items_per_second = numbers per second. If the stream does not give the known answer of Random123, it
/// is not timed.
void stream_uniform(benchmark::State& run) {
  Stream known({.seed = 0, .purpose = Purpose{0}});
  if (known.bits() != 0x16554d9eca36314c) return run.SkipWithError("wrong numbers");
  Stream stream({.seed = 1, .purpose = Purpose::tool});
  for (auto _ : run) benchmark::DoNotOptimize(stream.uniform());
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(stream_uniform);

/// Times one number from each of many streams, which is what thinning over processors costs.
void stream_first_of_each(benchmark::State& run) {
  std::uint64_t entity = 0;
  for (auto _ : run) {
    Stream stream({.seed = 1, .purpose = Purpose::failures, .entity = entity++});
    benchmark::DoNotOptimize(stream.uniform());
  }
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(stream_first_of_each);

template <class Sample>
void sampler(benchmark::State& run, Sample sample) {
  Stream stream({.seed = 1, .purpose = Purpose::tool});
  for (auto _ : run) benchmark::DoNotOptimize(sample(stream));
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK_CAPTURE(sampler, exponential, [](Stream& s) { return sample_exponential(s, 2); });
BENCHMARK_CAPTURE(sampler, weibull, [](Stream& s) { return sample_weibull(s, 0.7, 2); });
BENCHMARK_CAPTURE(sampler, normal, [](Stream& s) { return sample_normal(s, 1, 2); });
BENCHMARK_CAPTURE(sampler, lognormal, [](Stream& s) { return sample_lognormal(s, 1, 2); });
BENCHMARK_CAPTURE(sampler, gamma, [](Stream& s) { return sample_gamma(s, 0.7, 2); });
BENCHMARK_CAPTURE(sampler, truncated_gamma,
                  [](Stream& s) { return sample_truncated_gamma(s, 0.7, 2, 0, 1); });
BENCHMARK_CAPTURE(sampler, binomial_tiny,
                  [](Stream& s) { return sample_binomial(s, 1'000'000'000, 1e-9); });
BENCHMARK_CAPTURE(sampler, binomial_large,
                  [](Stream& s) { return sample_binomial(s, 1'000'000'000, 1e-3); });

}  // namespace
}  // namespace holdfast
