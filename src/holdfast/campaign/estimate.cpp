#include "holdfast/campaign/estimate.hpp"

#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/local.hpp"
#include "holdfast/campaign/workload.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace holdfast {
namespace {

constexpr std::size_t kSampledPoints = 8;
constexpr std::uint64_t kSampledDraws = 2;  // the first one also computes what later draws reuse
constexpr std::chrono::seconds kSampleTime{5};

// Chooses evenly spread positions among `count`, including the first and the last.
std::vector<bool> spread_over(std::size_t count) {
  std::vector<bool> chosen(count);
  const std::size_t wanted = std::min(count, kSampledPoints);
  for (std::size_t i = 0; i < wanted; ++i)
    chosen[wanted == 1 ? 0 : i * (count - 1) / (wanted - 1)] = true;
  return chosen;
}

// Returns true if the cell belongs to the first draws of its point.
bool is_first_draw(const CellKey& key, const DesignPoint& point) {
  return key.instance * point.scenarios + key.scenario < kSampledDraws;
}

// Runs cells in this thread until all are done or the time is over.
Status run_sample(const Workload& workload, const Control& control, Batch& batch) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + kSampleTime;
  std::atomic<bool> stop{false};
  const Control own{.threads = 1, .stop = &stop};
  Workspace workspace;
  const auto after_cell = [&] {
    if (Clock::now() > end || control.stopped()) stop = true;
  };
  for (std::uint64_t group = 0; group < workload.groups() && !stop; ++group)
    HOLDFAST_CHECK(workload.run(group, workspace, own, batch, after_cell));
  return {};
}

}  // namespace

double time_of_all(std::span<const TimedCell> timed, std::size_t strategies, std::uint64_t cells) {
  std::vector<double> sums(strategies);
  std::vector<double> counts(strategies);
  double sum = 0;
  for (const TimedCell& cell : timed) {
    sums[cell.strategy] += cell.seconds;
    counts[cell.strategy] += 1;
    sum += cell.seconds;
  }
  if (timed.empty()) return 0;
  const double mean = sum / static_cast<double>(timed.size());
  double total = 0;
  for (std::size_t i = 0; i < strategies; ++i)
    total += (counts[i] > 0 ? sums[i] / counts[i] : mean) * static_cast<double>(cells);
  return total;
}

Result<RunEstimate> estimate_run(const Campaign& campaign, const Control& control) {
  HOLDFAST_TRY(design, Design::make(campaign));
  RunEstimate out;
  out.positions = design.positions();
  out.points = design.points().size();
  out.cells = design.cells();
  out.warnings = design.warnings();
  const std::vector<bool> chosen = spread_over(design.points().size());
  const auto is_left_out = [&](const CellKey& key) {
    return !chosen[key.point] || !is_first_draw(key, design.points()[key.point]);
  };
  const Workload workload(campaign, design, is_left_out, 1);
  Batch batch;
  HOLDFAST_CHECK(run_sample(workload, control, batch));
  if (control.stopped()) return fail(ErrorCode::interrupted, "", "stopped before it was estimated");
  std::vector<TimedCell> timed;
  std::vector<bool> met(chosen.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    timed.push_back({.strategy = batch.keys[i].strategy, .seconds = batch.seconds[i]});
    met[batch.keys[i].point] = true;
  }
  out.sampled_cells = timed.size();
  out.sampled_points = static_cast<std::uint64_t>(std::count(met.begin(), met.end(), true));
  out.core_seconds =
      time_of_all(timed, campaign.strategies.size(), out.cells / campaign.strategies.size());
  out.threads = count_threads(control.threads, out.cells);
  return out;
}

}  // namespace holdfast
