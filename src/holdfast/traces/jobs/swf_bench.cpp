#include "holdfast/traces/jobs/swf.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

namespace {

using namespace holdfast;

constexpr std::int64_t kJobs = 500'000;

/// Returns a log like those of the Parallel Workloads Archive: a header, columns aligned by blanks, 92 bytes per job.
std::string large_log() {
  std::string out = fmt::format("; Version: 2.2\n; MaxJobs: {}\n; MaxProcs: 1024\n", kJobs);
  for (std::int64_t i = 0; i < kJobs; ++i) {
    fmt::format_to(
        std::back_inserter(out),
        "{:7} {:9} {:6} {:6} {:4} {:6} {:6} {:4} {:6} {:6} 1 {:4} {:3} -1 {:2} -1 -1 -1\n", i + 1,
        37 * i, i % 5000, 1 + i % 43200, 1 + i % 1024, i % 40000, -1, 1 + i % 1024, 43200, -1,
        i % 700, i % 40, i % 12);
  }
  return out;
}

void read_swf_log(benchmark::State& run) {
  const std::string text = large_log();
  double seconds = 0;
  const auto read = [&] {
    seconds = 0;
    return read_swf(LineReader(open_text(text), "log"),
                    [&](const LoggedJob& job) { seconds += job.run; });
  };
  double expected = 0;
  for (std::int64_t i = 0; i < kJobs; ++i) expected += static_cast<double>(1 + i % 43200);
  if (const auto facts = read(); !facts || facts->jobs != kJobs || seconds != expected) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  for (auto _ : run) benchmark::DoNotOptimize(read());
  run.SetItemsProcessed(run.iterations() * kJobs);
  run.SetBytesProcessed(run.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_swf_log)->Unit(benchmark::kMillisecond);

}  // namespace
