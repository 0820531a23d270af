#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/local.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/summary.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

/// Returns a campaign of trivial cells, with one random number each.
Campaign campaign(std::int64_t cells) {
  const std::string text =
      "[campaign]\nname = 'trivial'\ndomain = 'walk'\nscenarios = " + std::to_string(cells / 200) +
      "\nstrategies = ['steady', 'bold']\nbaseline = 'steady'\n[parameters]\nsteps = "
      "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\nstride = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n";
  return *parse_campaign(text, "bench.toml", ".", fake::known());
}

class Directory {
 public:
  Directory()
      : path_(fs::temp_directory_path() / ("holdfast-bench-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
  }
  ~Directory() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool is_complete(const fs::path& directory, std::int64_t cells) {
  const auto results = Results::open(directory);
  return results && results->status()->cells_done == static_cast<std::uint64_t>(cells);
}

/// Runs a whole campaign, from the file to the closed store. items_per_second is cells per second.
void run_trivial_cells(benchmark::State& run) {
  const Campaign file = campaign(run.range(0));
  for (auto _ : run) {
    const Directory directory;
    const auto report = run_campaign(file, directory.path());
    run.PauseTiming();
    if (!report || !is_complete(directory.path(), run.range(0))) {
      return run.SkipWithError("cells are missing");
    }
    run.ResumeTiming();
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(run_trivial_cells)
    ->Arg(288'000)
    ->Arg(1'000'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// Runs the same cells without a store, to find the store's share of the time.
void run_without_store(benchmark::State& run) {
  const Campaign file = campaign(run.range(0));
  for (auto _ : run) {
    auto design = Design::make(file);
    const Workload workload(
        file, *design, [](const CellKey&) { return false; }, 0);
    std::uint64_t cells = 0;
    const auto status = run_local(workload, {}, [&](const Batch& batch) {
      cells += batch.size();
      return Status{};
    });
    if (!status || cells != design->cells()) return run.SkipWithError("cells are missing");
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(run_without_store)->Arg(288'000)->UseRealTime()->Unit(benchmark::kMillisecond);

/// A finished campaign of a million cells, which is resumed, asked for its status, summarised and exported.
class Finished {
 public:
  static constexpr std::int64_t kCells = 1'000'000;
  Finished() : file(campaign(kCells)) {
    ok = run_campaign(file, directory.path()).has_value() && is_complete(directory.path(), kCells);
  }
  Directory directory;
  Campaign file;
  bool ok = false;
};
const Finished& finished() {
  static const Finished kFinished;
  return kFinished;
}

void resume_a_million(benchmark::State& run) {
  if (!finished().ok) return run.SkipWithError("cells are missing");
  for (auto _ : run) {
    const auto report = run_campaign(finished().file, finished().directory.path());
    if (!report || report->progress.found != Finished::kCells) {
      return run.SkipWithError("cells were not found");
    }
  }
}
BENCHMARK(resume_a_million)->UseRealTime()->Unit(benchmark::kMillisecond);

void status_of_a_million(benchmark::State& run) {
  if (!finished().ok) return run.SkipWithError("cells are missing");
  for (auto _ : run) {
    benchmark::DoNotOptimize(Results::open(finished().directory.path())->status());
  }
}
BENCHMARK(status_of_a_million)->UseRealTime()->Unit(benchmark::kMillisecond);

void summarize_a_million(benchmark::State& run) {
  if (!finished().ok) return run.SkipWithError("cells are missing");
  for (auto _ : run) {
    const auto results = Results::open(finished().directory.path());
    const auto status = results->for_each_point([&](const PointCells& cells) -> Status {
      benchmark::DoNotOptimize(
          summarize(cells, results->description().metrics, results->description().baseline));
      return {};
    });
    if (!status) return run.SkipWithError("cannot read");
  }
}
BENCHMARK(summarize_a_million)->UseRealTime()->Unit(benchmark::kMillisecond);

void export_a_million(benchmark::State& run) {
  if (!finished().ok) return run.SkipWithError("cells are missing");
  for (auto _ : run) {
    const auto results = Results::open(finished().directory.path());
    if (!export_results(*results, ExportFormat::csv)) return run.SkipWithError("cannot export");
  }
}
BENCHMARK(export_a_million)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace holdfast
