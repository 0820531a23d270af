#include <benchmark/benchmark.h>
#include <counted_memory.hpp>
#include <holdfast.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace {

/// Returns the nanoseconds of the wall clock that a call takes in the median batch of `calls` calls. On a machine with other
/// work, most batches of a few microseconds are not interrupted, so that the median shows what a call takes; a mean over a
/// second does not.
template <class Call>
double median_batch(int batches, int calls, Call call) {
  std::vector<double> took;
  took.reserve(static_cast<std::size_t>(batches));
  for (int i = 0; i < batches; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    for (int j = 0; j < calls; ++j) call();
    const std::chrono::duration<double, std::nano> passed =
        std::chrono::steady_clock::now() - begin;
    took.push_back(passed.count() / calls);
  }
  const auto middle = took.begin() + batches / 2;
  std::nth_element(took.begin(), middle, took.end());
  return *middle;
}

hf_advisor* made(const char* document) {
  hf_advisor* advisor = nullptr;
  char message[256];
  if (hf_advisor_create(document, &advisor, message, sizeof message) != HF_OK) return nullptr;
  hf_advisor_ready(advisor);
  return advisor;
}

long allocated() {
#ifdef HOLDFAST_COUNTS_MEMORY
  return allocations;
#else
  return 0;
#endif
}

// The cost in every iteration of a program.
void need_checkpoint(benchmark::State& run) {
  hf_advisor* const advisor = made("{}");
  if (advisor == nullptr) return run.SkipWithError("no advisor");
  const long before = allocated();
  int due = 0;
  for (auto _ : run) benchmark::DoNotOptimize(due += hf_advisor_need_checkpoint(advisor));
  run.counters["allocations"] = static_cast<double>(allocated() - before);
  run.counters["clock_ns"] = median_batch(
      10'000, 100, [&] { benchmark::DoNotOptimize(due += hf_advisor_need_checkpoint(advisor)); });
  hf_advisor_destroy(advisor);
}
BENCHMARK(need_checkpoint)->Iterations(1'000'000)->Repetitions(21)->ReportAggregatesOnly();

void progress(benchmark::State& run) {
  hf_advisor* const advisor = made("{}");
  if (advisor == nullptr) return run.SkipWithError("no advisor");
  double done = 0;
  for (auto _ : run) benchmark::DoNotOptimize(hf_advisor_progress(advisor, done += 1, 1e9));
  run.counters["clock_ns"] = median_batch(
      10'000, 100, [&] { benchmark::DoNotOptimize(hf_advisor_progress(advisor, done += 1, 1e9)); });
  hf_advisor_destroy(advisor);
}
BENCHMARK(progress)->Iterations(1'000'000)->Repetitions(21)->ReportAggregatesOnly();

// The time of checkpoint_begin and checkpoint_end, which plans, for 10^5 nodes of 2000 ages. With argument 1, checkpoints have
// two levels.
void plan_anew(benchmark::State& run) {
  std::string document = R"({"checkpoint": 60, "processors": 100000, )";
  if (run.range(0) == 1) document += R"("local_checkpoint": 3, "local_share": 0.8, )";
  document += R"("failures": {
      "distribution": "weibull", "shape": 0.7, "mtbf": "10y"}, "ages": [)";
  for (int i = 0; i < 2000; ++i) {
    document += (i > 0 ? ", [" : "[") + std::to_string(60 + 43200 * i) + ", 50]";
  }
  hf_advisor* const advisor = made((document + "]}").c_str());
  if (advisor == nullptr) return run.SkipWithError("no advisor");
  // Fill the window of measured costs: the checkpoints here take no time, and plans grow while the cost falls from the given
  // one.
  for (int i = 0; i < 40; ++i) {
    hf_advisor_checkpoint_begin(advisor, 1);
    hf_advisor_checkpoint_end(advisor, 1);
  }
  const long before = allocated();
  for (auto _ : run) {
    hf_advisor_checkpoint_begin(advisor, 1);
    hf_advisor_checkpoint_end(advisor, 1);
  }
  run.counters["allocations"] = static_cast<double>(allocated() - before);
  run.counters["clock_us"] = 1e-3 * median_batch(1000, 1, [&] {
                               hf_advisor_checkpoint_begin(advisor, 1);
                               hf_advisor_checkpoint_end(advisor, 1);
                             });
  hf_advisor_destroy(advisor);
}
BENCHMARK(plan_anew)
    ->Arg(0)
    ->Arg(1)
    ->Iterations(2000)
    ->Repetitions(5)
    ->ReportAggregatesOnly()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
