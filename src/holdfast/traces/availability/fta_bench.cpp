#include "holdfast/traces/availability/availability.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>

namespace {

using namespace holdfast;

constexpr std::int64_t kNodes = 2'000;
constexpr std::int64_t kIntervals = 250;  // intervals of each node

/// Returns an event table like those of the Failure Trace Archive, with 72 bytes per row: up and down in turn, node by node as
/// in most of them, or all nodes by time.
std::string large_table(bool is_by_time) {
  std::string out =
      "# event_id component_id node_id platform_id node_name event_type event_start_time "
      "event_stop_time event_end_reason\n";
  const std::int64_t rows = kNodes * kIntervals;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t node = is_by_time ? row % kNodes : row / kIntervals;
    const std::int64_t turn = is_by_time ? row / kNodes : row % kIntervals;
    const std::int64_t start = 1115811139 + 1000 * turn + node % 7;
    fmt::format_to(std::back_inserter(out), "{}\t0\t{}\t5\tG1/site1/c1/node{}\t{}\t{}\t{}\tNULL\n",
                   row, node, node, turn % 2, start, start + 1000);
  }
  return out;
}

void read_fta_table(benchmark::State& run) {
  const std::string text = large_table(run.range(0) != 0);
  const auto read = [&] {
    return read_fta(LineReader(open_text(text), "table"), {.unavailable = WorkerState::down});
  };
  const auto record = read();
  if (!record || record->workers.size() != kNodes ||
      record->workers[5].intervals.size() < kIntervals) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  for (auto _ : run) benchmark::DoNotOptimize(read());
  run.SetItemsProcessed(run.iterations() * kNodes * kIntervals);
  run.SetBytesProcessed(run.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_fta_table)->ArgName("by_time")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
