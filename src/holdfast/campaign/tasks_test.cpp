#include "holdfast/campaign/tasks.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/shard.hpp"
#include "holdfast/campaign/workload.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <string>

using namespace holdfast;
namespace fs = std::filesystem;

namespace {

/// 4 points, 2 instances, 30 scenarios, 2 strategies.
constexpr std::uint64_t kSlicedCells = 4 * 2 * 30 * 2;

Campaign sliced_campaign(const std::string& more = {}) {
  auto parsed = parse_campaign(
      "[campaign]\nname = 'walks'\ndomain = 'walk'\ninstances = 2\nscenarios = 30\n[parameters]\n"
      "steps = [2, 3]\nstride = [1, 2]\n" +
          more,
      "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

std::string merged_rows(const fs::path& directory) {
  const auto results = Results::open(directory);
  REQUIRE(results);
  return read_text(*export_results(*results, ExportFormat::csv));
}

std::string rows_of_one_run() {
  const Scratch scratch;
  REQUIRE(run_campaign(sliced_campaign(), scratch / "out"));
  return merged_rows(scratch / "out");
}

/// Makes a plan of what is missing in a directory in which nothing has run yet.
TaskPlan planned(const Campaign& file, const fs::path& directory, unsigned slices) {
  REQUIRE(run_campaign(file, directory, {.merge_only = true}));
  auto design = Design::make(file);
  REQUIRE(design);
  const Workload workload(
      file, *design, [](const CellKey&) { return false; }, slices);
  const auto plan = plan_tasks(directory, workload, slices);
  REQUIRE(plan);
  return *plan;
}

Progress run(const Campaign& file, const TaskPlan& plan, unsigned slice,
             const std::atomic<bool>* stop = nullptr) {
  const auto end =
      run_task(file, plan.folder / std::to_string(slice), {.threads = 1, .stop = stop});
  if (!end) MESSAGE(end.error().text());
  REQUIRE(end);
  REQUIRE(*end);
  return **end;
}

}  // namespace

TEST_CASE("tasks: slices run alone, in any order, make the same bytes") {
  for (const unsigned slices : {1u, 3u, 7u, 1000u}) {
    CAPTURE(slices);
    const Scratch scratch;
    const Campaign file = sliced_campaign();
    const TaskPlan plan = planned(file, scratch / "out", slices);
    CHECK(plan.slices >= std::min(slices, 60u));
    CHECK(plan.slices <= slices);
    std::uint64_t cells = 0;
    for (unsigned slice = plan.slices; slice-- > 0;) {
      const Progress end = run(file, plan, slice);
      CHECK(end.done == end.total);
      if (slices <= 7) CHECK(end.total <= kSlicedCells / slices + 8);  // about the same for each
      cells += end.total;
    }
    CHECK(cells == kSlicedCells);
    CHECK(Results::open(scratch / "out")->status()->cells_done == kSlicedCells);
    CHECK(Results::open(scratch / "out")->status()->cells_unmerged == kSlicedCells);
    const auto merged = run_campaign(file, scratch / "out", {.merge_only = true});
    REQUIRE(merged);
    CHECK(merged->progress.done == kSlicedCells);
    CHECK(task_folders(scratch / "out").empty());
    CHECK(merged_rows(scratch / "out") == rows_of_one_run());
  }
}

TEST_CASE(
    "tasks: a slice that ran before finds its cells, one whose cells are stored does nothing") {
  const Scratch scratch;
  const Campaign file = sliced_campaign();
  const TaskPlan plan = planned(file, scratch / "out", 2);
  const Progress first = run(file, plan, 0);
  const Progress again = run(file, plan, 0);
  CHECK(again.found == first.total);
  CHECK(again.done == first.total);
  // A local run continues with what is there: only the other half is run.
  const auto local = run_campaign(file, scratch / "out");
  REQUIRE(local);
  CHECK(local->progress.found == first.total);
  CHECK(local->progress.done == kSlicedCells);
  const auto late = run_task(file, plan.folder / "1", {});
  REQUIRE(late);
  CHECK_FALSE(*late);
  CHECK(merged_rows(scratch / "out") == rows_of_one_run());
}

TEST_CASE("tasks: a merge that was killed before it removed the shards is repeated without harm") {
  const Scratch scratch;
  const Campaign file = sliced_campaign();
  const TaskPlan plan = planned(file, scratch / "out", 2);
  run(file, plan, 0);
  fs::copy(plan.folder, scratch / "kept", fs::copy_options::recursive);
  const std::uint64_t finished = Results::open(scratch / "out")->status()->cells_done;
  CHECK(finished > 0);
  REQUIRE(run_campaign(file, scratch / "out", {.merge_only = true}));
  CHECK_FALSE(fs::exists(scratch / "out" / "merging"));
  fs::copy(scratch / "kept", plan.folder, fs::copy_options::recursive);
  // Before it moved the first cell, the merge had noted how many there were. All have moved, and are counted once.
  REQUIRE(write_file(scratch / "out" / "merging", "0"));
  const auto status = Results::open(scratch / "out")->status();
  REQUIRE(status);
  CHECK(status->cells_done == finished);
  CHECK(status->cells_unmerged == 0);
  const auto report = run_campaign(file, scratch / "out");
  REQUIRE(report);
  CHECK(report->progress.done == kSlicedCells);
  CHECK(merged_rows(scratch / "out") == rows_of_one_run());
}

TEST_CASE("tasks: a campaign file that changed keeps what tasks of the old one have finished") {
  const Scratch scratch;
  const Campaign old = sliced_campaign();
  const TaskPlan plan = planned(old, scratch / "out", 1);
  run(old, plan, 0);
  auto changed = parse_campaign(
      "[campaign]\nname = 'walks'\ndomain = 'walk'\ninstances = 2\nscenarios = 40\n[parameters]\n"
      "steps = [3, 4]\nstride = [1, 2]\n",
      "walk.toml", ".", fake::known());
  REQUIRE(changed);
  const auto report = run_campaign(*changed, scratch / "out");
  REQUIRE(report);
  CHECK(report->progress.found == kSlicedCells / 2);  // those of steps 3
}

TEST_CASE("tasks: refused while another process writes, and for another campaign") {
  const Scratch scratch;
  const Campaign file = sliced_campaign();
  const TaskPlan plan = planned(file, scratch / "out", 2);
  run(file, plan, 0);
  {
    auto design = Design::make(file);
    const auto writer = ShardWriter::open(plan.folder / "1", *design);
    REQUIRE(writer);
    const auto refused = run_campaign(file, scratch / "out");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.starts_with("a task is still writing this shard"));
    CHECK(Results::open(scratch / "out")->status()->tasks_running == 1);
  }
  const auto other = run_task(sliced_campaign("limit = 9\n"), plan.folder / "1", {});
  REQUIRE_FALSE(other);
  CHECK(other.error().message.starts_with("this task opened another campaign"));
  CHECK(run_task(file, plan.folder / "2", {}).error().code == ErrorCode::usage);
}
