#include "holdfast/campaign/run.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/limits.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/kept_answer.hpp"
#include "holdfast/campaign/machine.hpp"
#include "holdfast/campaign/meter.hpp"
#include "holdfast/campaign/results_lock.hpp"
#include "holdfast/campaign/store.hpp"
#include "holdfast/campaign/tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCopy = "campaign.toml";
/// The executor that runs all cells in this process.
constexpr std::string_view kOwnProcess = "local";

tl::unexpected<Error> cannot(std::string_view what, const fs::path& path,
                             const std::error_code& code) {
  return fail(
      ErrorCode::io_failure, path.string(),
      fmt::format("cannot {}: {}; name another directory with --output", what, code.message()));
}

tl::unexpected<Error> refuse(const fs::path& directory, std::string_view what) {
  return fail(ErrorCode::io_failure, directory.string(),
              fmt::format("{}; name another directory with --output, or give --force", what));
}

/// Returns true if the directory contains files that no campaign has written.
bool is_foreign(const fs::path& directory) {
  std::error_code code;
  bool has_results = false;
  bool has_others = false;
  for (fs::directory_iterator entry(directory, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    if (name == Store::kFile) has_results = true;
    if (name != kResultsLock.file) has_others = true;
  }
  return has_others && !has_results;
}

/// Returns the description in the results file of a directory; nothing if its first transaction was never completed.
Result<std::optional<Description>> read_existing(const fs::path& directory) {
  HOLDFAST_TRY(store, Store::open(directory));
  HOLDFAST_TRY(written, store.meta("campaign"));
  if (written.empty()) return std::optional<Description>();
  HOLDFAST_TRY(description, store.description());
  HOLDFAST_CHECK(store.positions(description));
  return std::optional(std::move(description));
}

/// Returns true if an existing results file may be continued with this campaign; false if it is to be replaced (--force).
Result<bool> may_continue(const fs::path& directory, const Campaign& campaign, bool force) {
  const auto existing = read_existing(directory);
  if (!existing) {
    if (force && existing.error().code == ErrorCode::bad_format) return false;
    return fail(existing.error());
  }
  if (!*existing) return true;
  const Description& description = **existing;
  if (description.domain != campaign.domain->name) {
    if (force) return false;
    return refuse(directory, fmt::format("found results of {} in the domain {}, expected the "
                                         "domain {}",
                                         in_quotes(description.name), description.domain,
                                         campaign.domain->name));
  }
  if (description.name != campaign.name && !force) {
    return refuse(directory, fmt::format("found results of the campaign {}, expected {}",
                                         in_quotes(description.name), in_quotes(campaign.name)));
  }
  return true;
}

void remove_results(const fs::path& directory) {
  std::error_code ignored;
  for (const std::string_view tail : {"", "-wal", "-shm", "-journal"}) {
    fs::remove(directory / fmt::format("{}{}", Store::kFile, tail), ignored);
  }
  fs::remove(directory / KeptAnswer::kFile, ignored);
  for (const fs::path& folder : task_folders(directory)) fs::remove_all(folder, ignored);
}

/// Refuses a directory that is not ours, before points are opened. It writes nothing.
Status check_directory(const fs::path& directory, bool force) {
  std::error_code ignored;
  if (fs::exists(directory, ignored) && !fs::is_directory(directory, ignored)) {
    return fail(ErrorCode::io_failure, directory.string(),
                "found a file, expected a directory; name another one with --output");
  }
  if (is_foreign(directory) && !force) {
    return refuse(directory, "found files that are not results of a campaign");
  }
  return {};
}

/// Creates the directory if necessary, and locks it.
Result<DirectoryLock> prepare(const fs::path& directory, const Campaign& campaign, bool force) {
  std::error_code code;
  fs::create_directories(directory, code);
  if (code) return cannot("make this directory", directory, code);
  HOLDFAST_TRY(lock, DirectoryLock::acquire(directory, kResultsLock));
  if (fs::exists(directory / Store::kFile, code)) {
    HOLDFAST_TRY(can_continue, may_continue(directory, campaign, force));
    if (!can_continue) remove_results(directory);
  }
  return lock;
}

/// Checks that rules of this program run only in this process, because other processes do not have them.
Status check_executor(const Campaign& campaign, const RunOptions& options) {
  const auto own = std::ranges::find_if(
      campaign.strategies, [](const StrategySpec& spec) { return spec.rule != nullptr; });
  if (own == campaign.strategies.end() || options.executor == kOwnProcess) return {};
  return fail(ErrorCode::usage, "/executor",
              fmt::format("found {}, expected {}: the strategy {} takes its decisions from this "
                          "process",
                          in_quotes(options.executor), kOwnProcess, in_quotes(own->shown)));
}

/// Returns true if all cells were there when the answer that is kept was given, and nothing has changed since.
Result<bool> is_known_complete(const fs::path& directory, const Store& store, std::uint64_t seed,
                               unsigned threads) {
  const auto kept = read_kept(directory);
  if (!kept || !kept->is_complete) return false;
  HOLDFAST_TRY(state, store.state(seed, threads));
  return state == kept->state;
}

/// Returns which cells of a design are in the store.
Result<std::vector<bool>> find_cells(const fs::path& directory, const Store& store,
                                     const Design& design, unsigned threads) {
  HOLDFAST_TRY(are_all, is_known_complete(directory, store, design.campaign().seed, threads));
  std::vector<bool> done(design.cells(), are_all);
  if (are_all) return done;
  const auto mark = [&](const CellKey& key) {
    const DesignPoint& point = design.points()[key.point];
    if (key.instance >= point.instances || key.scenario >= point.scenarios) return;
    done[design.cell(key.point, key.instance, key.scenario, key.strategy)] = true;
  };
  HOLDFAST_CHECK(store.for_each_key(mark, threads));
  return done;
}

/// Marks the cells that are not wanted, so that they do not run, as done. Returns how many are wanted.
std::uint64_t leave_out(const Design& design, const RunOptions& options, std::vector<bool>& done) {
  if (!options.wanted) return design.cells();
  std::vector<bool> wanted(design.cells());
  const auto strategies = static_cast<std::uint32_t>(design.campaign().strategies.size());
  for (std::size_t position = 0; position < design.positions(); ++position) {
    const std::uint32_t point = design.point_of(position);
    const DesignPoint& at = design.points()[point];
    std::uint64_t cell = at.first_cell;
    for (std::uint64_t instance = 0; instance < at.instances; ++instance) {
      for (std::uint64_t scenario = 0; scenario < at.scenarios; ++scenario) {
        for (std::uint32_t strategy = 0; strategy < strategies; ++strategy, ++cell) {
          if (options.wanted(position, {point, strategy, instance, scenario})) wanted[cell] = true;
        }
      }
    }
  }
  for (std::uint64_t cell = 0; cell < wanted.size(); ++cell)
    if (!wanted[cell]) done[cell] = true;
  return static_cast<std::uint64_t>(std::ranges::count(wanted, true));
}

/// Adds warnings about the origin of the cells that were found.
void warn_of_provenance(const Store& store, std::vector<std::string>& warnings) {
  const auto provenance = store.provenance();
  if (!provenance) return;
  std::vector<std::string> others;
  for (const std::string& one : provenance->versions) {
    if (one != version()) others.push_back(one);
  }
  if (!others.empty()) {
    warnings.push_back(fmt::format(
        "cells found in this directory were computed by holdfast {}, new ones by {}: where results "
        "changed between them, start again in another directory",
        join(others, ", "), version()));
  }
  if (provenance->unchecked == 0) return;
  warnings.push_back(
      fmt::format("the first {} cells of this directory were stored by a holdfast that kept no "
                  "checksums: whether they are damaged cannot be checked",
                  provenance->unchecked));
}

}  // namespace

bool holds_results(const std::filesystem::path& path) {
  std::error_code unknown;  // ignored: opening the directory reports what is wrong
  return fs::exists(path / Store::kFile, unknown) || unknown;
}

Result<Campaign> read_campaign_of(const std::filesystem::path& results,
                                  std::span<const Domain* const> known) {
  HOLDFAST_TRY(store, Store::open_readonly(results));
  HOLDFAST_TRY(directory, store.meta("directory"));
  HOLDFAST_TRY(description, store.description());
  const fs::path copy = results / kCopy;
  HOLDFAST_TRY(text, read_file(copy, kMostToml));
  HOLDFAST_TRY(campaign, parse_campaign(text, copy.string(), directory, known));
  return description.scale == 1 ? campaign : scaled(std::move(campaign), description.scale);
}

Result<RunReport> run_campaign(const Campaign& campaign, const std::filesystem::path& results,
                               const RunOptions& options) {
  HOLDFAST_TRY(entry, find_executor(options.executor));
  HOLDFAST_CHECK(check_executor(campaign, options));
  ExecutorSetup setup = options.setup;
  setup.results = results;
  setup.threads = options.control.threads;
  HOLDFAST_TRY(executor, entry->start(setup));
  if (!executor->leads()) {
    HOLDFAST_CHECK(executor->help(campaign, options.control));
    RunReport report;
    report.is_helper = true;
    return report;
  }
  HOLDFAST_CHECK(check_directory(results, options.force));
  HOLDFAST_TRY(design, Design::make(campaign));
  HOLDFAST_TRY(lock, prepare(results, campaign, options.force));
  HOLDFAST_CHECK(merge_tasks(results, *campaign.domain));
  HOLDFAST_TRY(store, Store::open(results));
  RunReport report;
  report.warnings = design.warnings();
  warn_of_provenance(store, report.warnings);
  HOLDFAST_CHECK(store.describe(design));
  if (!campaign.text.empty()) HOLDFAST_CHECK(write_own_file(results / kCopy, campaign.text));

  HOLDFAST_TRY(done, find_cells(results, store, design, options.control.threads));
  const std::uint64_t total = leave_out(design, options, done);
  const auto is_done = [&](const CellKey& key) {
    return bool{done[design.cell(key.point, key.instance, key.scenario, key.strategy)]};
  };
  const Workload workload(campaign, design, is_done, executor->workers(options.control));
  if (workload.cells() > 0) {
    HOLDFAST_CHECK(store.set_meta("command", options.command));
    HOLDFAST_CHECK(store.set_meta("machine", machine_text()));
  }
  Meter meter(options.control, total, total - workload.cells());
  const auto sink = [&](const Batch& batch) -> Status {
    HOLDFAST_CHECK(store.append(batch));
    meter.add(batch.size());
    return {};
  };
  const Status ran = options.merge_only ? Status{} : executor->run(workload, options.control, sink);
  report.progress = meter.finish();
  report.submitted = executor->submitted();
  const Status closed = store.close();
  HOLDFAST_CHECK(ran);
  HOLDFAST_CHECK(closed);
  report.interrupted = options.control.stopped() && report.progress.done < report.progress.total;
  return report;
}

}  // namespace holdfast
