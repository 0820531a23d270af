#include "holdfast/campaign/tasks.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/campaign/batch_bytes.hpp"
#include "holdfast/campaign/bytes.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/local.hpp"
#include "holdfast/campaign/meter.hpp"
#include "holdfast/campaign/shard.hpp"
#include "holdfast/campaign/store.hpp"
#include "holdfast/campaign/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <ctime>
#include <system_error>
#include <utility>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlan = "plan";
constexpr std::string_view kJob = "job";
constexpr std::string_view kMerging = "merging";
constexpr std::string_view kUnknownVersion = "of an unknown version";

/// The data that every task of a folder needs.
struct Plan {
  std::string fingerprint;
  std::string computed_by = std::string(version());  ///< tasks of another version are refused
  unsigned workers = 1;                              ///< Workload::workers()
  std::vector<std::uint64_t> runs;                   ///< finished cells, as runs
  std::vector<std::uint64_t> borders;  ///< slice i has the groups from borders[i] to borders[i + 1]
};

std::string to_bytes(const Plan& plan) {
  ByteWriter out;
  out.text(plan.fingerprint).number(plan.workers).array(plan.runs).array(plan.borders);
  out.text(plan.computed_by);
  return out.take();
}

Result<Plan> read_plan(const fs::path& folder) {
  const fs::path path = folder / kPlan;
  HOLDFAST_TRY(bytes, read_file(path));
  ByteReader read(bytes);
  Plan plan;
  plan.fingerprint = read.text();
  plan.workers = read.number<unsigned>();
  plan.runs = read.array<std::uint64_t>();
  plan.borders = read.array<std::uint64_t>();
  // Plans that are older than the member `computed_by` end here.
  plan.computed_by = read.at_end() ? std::string(kUnknownVersion) : read.text();
  const bool is_plan = read.ok() && read.at_end() && plan.borders.size() >= 2 &&
                       std::is_sorted(plan.borders.begin(), plan.borders.end());
  if (is_plan) return plan;
  return fail(ErrorCode::bad_format, path.string(),
              "found no plan of tasks; start the campaign again on the same directory");
}

/// Returns borders with about the same number of missing cells between each two.
std::vector<std::uint64_t> cut(const Workload& workload, unsigned slices) {
  std::vector<std::uint64_t> borders = {0};
  std::uint64_t cells = 0;
  for (std::uint64_t group = 0; group < workload.groups(); ++group) {
    cells += workload.missing(group);
    const double share = static_cast<double>(cells) / static_cast<double>(workload.cells());
    if (share * slices < static_cast<double>(borders.size())) continue;
    borders.push_back(group + 1);
    if (cells == workload.cells()) break;
  }
  borders.back() = workload.groups();
  return borders;
}

bool is_shard(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<fs::path> shards_of(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    if (is_shard(entry->path())) out.push_back(entry->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Returns a name that sorts by time.
std::string folder_name(unsigned attempt) {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%S", &parts);
  return fmt::format("{}{}{}", kTasksPrefix, std::string_view(text.data(), size),
                     attempt == 0 ? std::string() : fmt::format("-{}", attempt));
}

}  // namespace

Result<TaskPlan> plan_tasks(const fs::path& results, const Workload& workload, unsigned slices) {
  std::error_code code;
  fs::path folder;
  for (unsigned attempt = 0; attempt < 100; ++attempt) {
    folder = results / folder_name(attempt);
    if (fs::create_directory(folder, code) || code) break;
  }
  if (code) {
    return fail(ErrorCode::io_failure, folder.string(),
                fmt::format("cannot make this directory: {}; free some space or check the "
                            "permissions, and start again",
                            code.message()));
  }
  Plan plan;
  plan.fingerprint = fingerprint(workload.design());
  plan.workers = workload.workers();
  plan.runs = to_runs(workload.done());
  plan.borders = cut(workload, std::max(1U, slices));
  HOLDFAST_CHECK(write_own_file(folder / kPlan, to_bytes(plan)));
  return TaskPlan{folder, static_cast<unsigned>(plan.borders.size() - 1)};
}

Result<std::optional<Progress>> run_task(const Campaign& campaign, const fs::path& shard,
                                         const Control& control) {
  const fs::path folder = shard.parent_path();
  std::error_code ignored;
  if (!fs::exists(folder / kPlan, ignored)) return std::optional<Progress>();
  HOLDFAST_TRY(plan, read_plan(folder));
  std::size_t slice = 0;
  const std::string name = shard.filename().string();
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), slice);
  if (parsed.ec != std::errc() || !is_shard(shard) || slice + 1 >= plan.borders.size()) {
    return fail(ErrorCode::usage, "/task",
                fmt::format("found {}, expected FOLDER/N with N below {}", shard.string(),
                            plan.borders.size() - 1));
  }
  HOLDFAST_TRY(design, Design::make(campaign));
  if (fingerprint(design) != plan.fingerprint) {
    return fail(
        ErrorCode::bad_format, shard.string(),
        "this task opened another campaign than the one that was submitted: a file that the "
        "campaign names has changed, or differs on this machine; start the campaign again");
  }
  if (plan.computed_by != version() && plan.computed_by != kUnknownVersion) {
    return fail(ErrorCode::bad_format, shard.string(),
                fmt::format("this task is holdfast {}, the campaign was submitted by {}; start the "
                            "campaign again: what was finished is kept",
                            version(), plan.computed_by));
  }
  std::vector<bool> done = from_runs(plan.runs, design.cells());
  HOLDFAST_TRY(writer, ShardWriter::open(shard, design));
  std::uint64_t found = 0;
  HOLDFAST_CHECK(read_shard(shard, design, [&](const Batch& batch) -> Status {
    for (const CellKey& key : batch.keys) {
      done[design.cell(key.point, key.instance, key.scenario, key.strategy)] = true;
    }
    found += batch.size();
    return {};
  }));
  const auto is_done = [&](const CellKey& key) {
    return bool{done[design.cell(key.point, key.instance, key.scenario, key.strategy)]};
  };
  const Workload workload(campaign, design, is_done, plan.workers);
  const std::uint64_t groups = workload.groups();
  const GroupRange range = {std::min(plan.borders[slice], groups),
                            std::min(plan.borders[slice + 1], groups)};
  std::uint64_t total = found;
  for (std::uint64_t group = range.begin; group < range.end; ++group) {
    total += workload.missing(group);
  }
  Meter meter(control, total, found);
  const Status ran = run_groups(workload, range, control, [&](const Batch& batch) -> Status {
    HOLDFAST_CHECK(writer.append(batch));
    meter.add(batch.size());
    return {};
  });
  HOLDFAST_CHECK(writer.flush());
  HOLDFAST_CHECK(ran);
  return std::optional(meter.finish());
}

std::vector<fs::path> task_folders(const fs::path& results) {
  std::vector<fs::path> out;
  std::error_code code;
  for (fs::directory_iterator entry(results, code), end; !code && entry != end;
       entry.increment(code)) {
    if (entry->path().filename().string().starts_with(kTasksPrefix)) out.push_back(entry->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string job_of(const fs::path& folder) {
  const auto text = read_file(folder / kJob);
  return text ? std::string(trim(*text)) : std::string();
}

TaskStatus task_status(const fs::path& results) {
  TaskStatus out;
  for (const fs::path& folder : task_folders(results)) {
    for (const fs::path& shard : shards_of(folder)) {
      out.cells += count_cells(shard);
      if (is_being_written(shard)) ++out.running;
    }
    if (std::string job = job_of(folder); !job.empty()) out.jobs.push_back(std::move(job));
  }
  if (const auto text = read_file(results / kMerging)) {
    if (const auto cells = parse_integer(trim(*text)); cells && *cells >= 0) {
      out.merged_onto = static_cast<std::uint64_t>(*cells);
    }
  }
  return out;
}

Status merge_tasks(const fs::path& results, const Domain& domain) {
  const std::vector<fs::path> folders = task_folders(results);
  if (folders.empty()) return {};
  for (const fs::path& folder : folders) {
    for (const fs::path& shard : shards_of(folder)) {
      if (!is_being_written(shard)) continue;
      return fail(
          ErrorCode::io_failure, shard.string(),
          "a task is still writing this shard; wait until it ends (see --status), or cancel "
          "it, and start again");
    }
  }
  const std::array<const Domain*, 1> known = {&domain};
  HOLDFAST_TRY(campaign, read_campaign_of(results, known));
  HOLDFAST_TRY(design, Design::make(campaign));
  HOLDFAST_TRY(store, Store::open(results));
  HOLDFAST_CHECK(store.describe(design));
  // An earlier merge that was killed may have moved some of the cells.
  std::vector<bool> done(design.cells());
  const auto number = [&](const CellKey& key) {
    return design.cell(key.point, key.instance, key.scenario, key.strategy);
  };
  HOLDFAST_CHECK(store.for_each_key([&](const CellKey& key) {
    const DesignPoint& point = design.points()[key.point];
    if (key.instance < point.instances && key.scenario < point.scenarios) done[number(key)] = true;
  }));
  const std::size_t metrics = domain.metrics.size();
  if (!fs::exists(results / kMerging)) {
    const auto before = std::count(done.begin(), done.end(), true);
    HOLDFAST_CHECK(write_own_file(results / kMerging, std::to_string(before)));
  }
  for (const fs::path& folder : folders) {
    const auto plan = read_plan(folder);
    const std::string computed_by = plan ? plan->computed_by : std::string(kUnknownVersion);
    for (const fs::path& shard : shards_of(folder)) {
      HOLDFAST_CHECK(read_shard(shard, design, [&](const Batch& batch) -> Status {
        Batch fresh;
        for (std::size_t i = 0; i < batch.size(); ++i) {
          if (done[number(batch.keys[i])]) continue;
          done[number(batch.keys[i])] = true;
          fresh.append(batch, i, metrics);
        }
        return fresh.empty() ? Status{} : store.append(fresh, computed_by);
      }));
    }
  }
  HOLDFAST_CHECK(store.sync());
  HOLDFAST_CHECK(store.close());
  // The folders are removed only now that everything is on the disk, in one file or, if a reader has it open, in its log. The
  // plan is removed first, so that a task that starts meanwhile does nothing.
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    fs::remove(folder / kPlan, ignored);
    fs::remove_all(folder, ignored);
  }
  fs::remove(results / kMerging, ignored);
  return {};
}

}  // namespace holdfast
