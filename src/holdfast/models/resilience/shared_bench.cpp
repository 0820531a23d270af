#include "holdfast/models/resilience/shared.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

namespace holdfast {
namespace {

// Returns as many classes as both workloads of the thesis have together, on a file system that is too slow for them.
std::vector<SharedClass> thirteen_classes() {
  std::vector<SharedClass> out;
  for (int i = 0; i < 13; ++i) {
    out.push_back({.jobs = 1 + 0.5 * i,
                   .nodes = 0.01,
                   .rate = 1e-6 * (1 + i),
                   .costs = {300 + 100.0 * i, 300 + 100.0 * i, 60}});
  }
  return out;
}

void plan_of_thirteen_classes(benchmark::State& run) {
  const auto classes = thirteen_classes();
  const auto check = plan_shared(classes, 0.05);
  if (!check || !(check->price > 0) || std::fabs(check->load - 1) > 1e-12)
    return run.SkipWithError("the constraint does not bind");
  for (auto _ : run) benchmark::DoNotOptimize(plan_shared(classes, 0.05));
}
BENCHMARK(plan_of_thirteen_classes)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace holdfast
