#include "holdfast/traces/wfformat.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace {

using namespace holdfast;

/// A document of about 100 bytes per line, a kilobyte per task: the density of files of Pegasus.
std::string large_document(std::size_t tasks) {
  WorkflowRun run;
  run.name = "large";
  for (std::size_t i = 0; i < tasks; ++i) {
    run.tasks.push_back({.id = fmt::format("individuals_ID{:07}", i),
                         .name = fmt::format("individuals_{:07}", i),
                         .runtime = 0.001 * static_cast<double>(i % 1000),
                         .cores = 1,
                         .input_bytes = 1e6,
                         .output_bytes = 1e5});
    if (i > 0) {
      run.dependencies.push_back(
          {static_cast<std::uint32_t>((i - 1) / 2), static_cast<std::uint32_t>(i)});
    }
  }
  std::string text = wfformat_text(run);
  // What a reader passes over: the command of each task.
  const std::string command =
      ", \"command\": {\"program\": \"individuals\", \"arguments\": [\"ALL.chr1.250000.vcf\", "
      "\"1\", "
      "\"1\", \"11371\", \"3000\"]}, \"avgCPU\": 97.5, \"readBytes\": 139236642, \"writtenBytes\": "
      "4380167, \"machines\": [\"worker-1.novalocal\"]";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = text.find(", \"coreCount\"", at);
    out += text.substr(at, next - at);
    if (next == std::string::npos) break;
    out += command;
    out += text.substr(next, 13);
    at = next + 13;
  }
  return out;
}

void read_large_document(benchmark::State& run) {
  const std::string text = large_document(100'000);
  const auto read = read_wfformat_text(text);
  if (!read || read->tasks.size() != 100'000 || read->dependencies.size() != 99'999) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  for (auto _ : run) benchmark::DoNotOptimize(read_wfformat_text(text));
  run.SetBytesProcessed(run.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_large_document)->Unit(benchmark::kMillisecond);

}  // namespace
