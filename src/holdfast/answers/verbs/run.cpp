#include "holdfast/campaign/run.hpp"

#include "holdfast/answers/campaign/campaign_answer.hpp"
#include "holdfast/answers/campaign/campaign_file.hpp"
#include "holdfast/answers/campaign/kept_results.hpp"
#include "holdfast/answers/campaign/live_page.hpp"
#include "holdfast/answers/campaign/report_file.hpp"
#include "holdfast/answers/campaign/run_answer.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/estimate.hpp"
#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary_members.hpp"
#include "holdfast/campaign/tasks.hpp"
#include "holdfast/contract/document_members.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/pages/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

struct RunAsked {
  std::string campaign = {};
  std::int64_t threads = 0;
  std::string executor = "local";
  double scale = 1;
  bool status = false;
  bool dry_run = false;
  bool full = false;
  bool watch = false;
  std::string output = {};
  std::string exported = {};
  bool force = false;
  bool merge = false;
  std::int64_t tasks = 0;
  double time_limit = 0;  // s
  std::string partition = {};
  std::string account = {};
  std::vector<std::string> sbatch = {};
  std::string task = {};
};

constexpr std::string_view kCluster = "Cluster";
constexpr auto kRunCampaign = std::to_array<Field<RunAsked>>(
    {{.name = "campaign",
      .summary = "a campaign file, or the directory of its results to continue",
      .member = member<&RunAsked::campaign>,
      .value_name = "FILE|DIR"}});
constexpr auto kRunOptions = std::to_array<Field<RunAsked>>({
    {.name = "threads",
     .summary = "number of threads (default: all cores); it does not change the results",
     .member = member<&RunAsked::threads>,
     .range = at_least(1),
     .fallback = "-"},
    {.name = "executor",
     .summary = "what runs the cells",
     .member = member<&RunAsked::executor>,
     .value_name = "local|mpi|slurm"},
    {.name = "scale",
     .summary = "multiply the numbers of instances and scenarios (at least 1 of each)",
     .member = member<&RunAsked::scale>,
     .range = {.minimum = 0, .maximum = 1e6, .above_minimum = true},
     .fallback = "-",
     .value_name = "S"},
    {.name = "status",
     .summary = "print the progress and run nothing",
     .member = member<&RunAsked::status>},
    {.name = "dry_run",
     .summary = "print the number of points and cells and an estimate of the time; store nothing",
     .member = member<&RunAsked::dry_run>},
    {.name = "full",
     .summary = "print the numbers of every point too, not only the answer",
     .member = member<&RunAsked::full>},
    {.name = "watch",
     .summary =
         "write the page while the campaign runs; in a browser it reloads itself until the end",
     .member = member<&RunAsked::watch>,
     .heading = "Output"},
    {.name = "output",
     .summary = "directory of the results (default NAME-results, here)",
     .member = member<&RunAsked::output>,
     .value_name = "DIR",
     .heading = "Output"},
    {.name = "export",
     .summary = "also write results.csv or results.json, with one row per cell and metric, or "
                "cells.sqlite, with one per cell, for SQL",
     .member = member<&RunAsked::exported>,
     .value_name = "csv|json|sqlite",
     .heading = "Output"},
    {.name = "force",
     .summary = "write into a directory that holds other files",
     .member = member<&RunAsked::force>,
     .heading = "Output"},
    {.name = "tasks",
     .summary =
         "slurm: number of tasks of the job array (default: by the number of cells, at most 64)",
     .member = member<&RunAsked::tasks>,
     .range = between(1, 1e6),
     .fallback = "-",
     .heading = kCluster},
    {.name = "time_limit",
     .summary = "slurm: time limit of each task, e.g. 2h",
     .member = member<&RunAsked::time_limit>,
     .unit = Unit::seconds,
     .range = {.minimum = 0, .maximum = 1e9, .above_minimum = true},
     .fallback = "-",
     .value_name = "TIME",
     .heading = kCluster},
    {.name = "partition",
     .summary = "slurm: partition in which tasks run",
     .member = member<&RunAsked::partition>,
     .value_name = "NAME",
     .heading = kCluster},
    {.name = "account",
     .summary = "slurm: account that is charged",
     .member = member<&RunAsked::account>,
     .value_name = "NAME",
     .heading = kCluster},
    {.name = "sbatch",
     .summary = "slurm: a further option of sbatch, as in --sbatch=--qos=low",
     .member = member<&RunAsked::sbatch>,
     .value_name = "OPTION",
     .heading = kCluster},
    {.name = "merge",
     .summary = "merge the results of the tasks and run nothing",
     .member = member<&RunAsked::merge>,
     .heading = kCluster},
    {.name = "task",
     .summary =
         "run one slice and store its results in a shard; the scheduler starts tasks with this "
         "option",
     .member = member<&RunAsked::task>,
     .value_name = "FOLDER/N",
     .heading = kHiddenHeading},
});

fs::path directory_of(const RunAsked& asked) {
  if (holds_results(asked.campaign)) return asked.campaign;
  return asked.output.empty() ? default_results_directory(asked.campaign) : fs::path(asked.output);
}

Result<Campaign> campaign_of(const RunAsked& asked, const Host& host) {
  if (!holds_results(asked.campaign)) {
    HOLDFAST_TRY(campaign, read_campaign_file(asked.campaign, host.domains, host.places.data));
    return scaled(std::move(campaign), asked.scale);
  }
  if (!asked.output.empty()) {
    return fail(ErrorCode::usage, "/output",
                fmt::format("found it together with {}, whose results stay where they are",
                            asked.campaign));
  }
  HOLDFAST_TRY(campaign, read_campaign_of(asked.campaign, host.domains));
  return scaled(std::move(campaign), asked.scale);
}

// Reads the campaign, and checks its table [report] before the cells run, which may take hours.
Result<Campaign> checked_campaign(const RunAsked& asked, const Host& host) {
  HOLDFAST_TRY(campaign, campaign_of(asked, host));
  const auto choice = read_choice(describe_campaign(campaign), campaign.domain->fields);
  if (!choice) return fail(in_file(campaign.file, choice.error()));
  return campaign;
}

Control control_of(const RunAsked& asked, const Host& host) {
  Control out = host.control;
  out.threads = threads_of(asked.threads);
  return out;
}

// Returns the field of the first option that only a cluster uses; empty if none was given.
std::string cluster_option(const RunAsked& asked) {
  if (asked.tasks > 0) return "/tasks";
  if (asked.time_limit > 0) return "/time_limit";
  if (!asked.partition.empty()) return "/partition";
  if (!asked.account.empty()) return "/account";
  return asked.sbatch.empty() ? "" : "/sbatch";
}

ExecutorSetup setup_of(const RunAsked& asked, const Host& host) {
  constexpr double kMinute = 60;  // Slurm takes the limit in minutes
  ExecutorSetup out;
  out.program = host.places.program;
  out.tasks = static_cast<unsigned>(asked.tasks);
  const auto add = [&out](std::string_view name, const std::string& value) {
    if (!value.empty()) out.batch_options.push_back(fmt::format("--{}={}", name, value));
  };
  if (asked.time_limit > 0)
    add("time", fmt::format("{:.0f}", std::ceil(asked.time_limit / kMinute)));
  add("partition", asked.partition);
  add("account", asked.account);
  out.batch_options.insert(out.batch_options.end(), asked.sbatch.begin(), asked.sbatch.end());
  if (!asked.exported.empty()) out.final_options = {"--export", asked.exported};
  return out;
}

// Refuses processes that srun has started and that do not know of each other.
Status check_launcher(const Host& host) {
  // srun sets these variables for a step; mpirun in an allocation sets them too, in addition to its own.
  const std::string tasks = host.environment("SLURM_STEP_NUM_TASKS");
  const bool know_each_other =
      !host.environment("PMIX_RANK").empty() || !host.environment("OMPI_COMM_WORLD_RANK").empty();
  if (std::atoi(tasks.c_str()) <= 1 || know_each_other) return {};
  return fail(ErrorCode::io_failure, "/executor mpi",
              fmt::format("srun started {} processes without PMIx, so they do not know of each "
                          "other; start them with 'srun --mpi=pmix' or with mpirun",
                          tasks));
}

Result<RunReport> run_cells(const RunAsked& asked, const Campaign& campaign,
                            const Request& request) {
  const Host& host = *request.host;
  if (asked.executor == "mpi") HOLDFAST_CHECK(check_launcher(host));
  if (const std::string given = cluster_option(asked);
      asked.executor != "slurm" && !given.empty()) {
    return fail(
        ErrorCode::usage, given,
        fmt::format("found it with --executor {}, expected --executor slurm", asked.executor));
  }
  Control control = control_of(asked, host);
  std::optional<LivePage> live;
  if (asked.watch) {
    live.emplace(directory_of(asked), host);
    request.voice.say(fmt::format("{} shows the campaign while it runs",
                                  (directory_of(asked) / kReportFile).string()));
    control.progress = [&](const Progress& now) {
      if (host.control.progress) host.control.progress(now);
      live->show(now);
    };
  }
  auto report = run_campaign(campaign, directory_of(asked),
                             {.control = control,
                              .executor = asked.executor,
                              .command = host.command,
                              .force = asked.force,
                              .merge_only = asked.merge,
                              .setup = setup_of(asked, host)});
  host.end_progress();
  if (live && (!report || report->interrupted)) live->finish();
  if (!report || report->is_helper) return report;
  for (const std::string& warning : report->warnings) request.voice.warn(warning);
  const Progress& end = report->progress;
  if (report->interrupted) {
    return fail(ErrorCode::interrupted, "",
                fmt::format("stopped: {} of {} cells are kept; 'holdfast run {}' continues",
                            end.done, end.total, directory_of(asked).string()));
  }
  request.voice.detail(fmt::format("{} cells, {} of them found, {} s", end.total, end.found,
                                   static_cast<int>(end.seconds)));
  return report;
}

// Runs the slice of a task. Its messages are its log, whose first line is written at once, so that the log has a block on the
// disk even if the disk is full later.
Result<Answer> run_slice(const RunAsked& asked, const Request& request) {
  const Host& host = *request.host;
  Answer answer;
  answer.is_silent = true;
  request.voice.say(fmt::format("{}: begins", asked.task));
  HOLDFAST_TRY(campaign, read_campaign_of(asked.campaign, host.domains));
  HOLDFAST_TRY(end, run_task(campaign, asked.task, control_of(asked, host)));
  host.end_progress();
  if (!end) {
    request.voice.say(fmt::format("{}: its plan is gone; other tasks run its cells", asked.task));
    return answer;
  }
  if (end->done < end->total) {
    return fail(ErrorCode::interrupted, asked.task,
                fmt::format("stopped: {} of its {} cells are kept", end->done, end->total));
  }
  request.voice.say(
      fmt::format("{}: {} cells, {} of them found", asked.task, end->total, end->found));
  return answer;
}

// Returns an estimate of the run, from a few of its cells.
Result<Answer> estimate(const RunAsked& asked, const Host& host) {
  HOLDFAST_TRY(campaign, checked_campaign(asked, host));
  HOLDFAST_TRY(estimate, estimate_run(campaign, control_of(asked, host)));
  return estimate_answer(campaign, estimate, directory_of(asked));
}

Answer submission(const RunReport& report, const fs::path& directory) {
  Answer answer;
  answer.lines = report.submitted;
  answer.document = Value::object({{"submitted", Value::list(report.submitted)},
                                   {"cells_done", report.progress.done},
                                   {"cells_total", report.progress.total}});
  answer.closing.push_back(
      fmt::format("{} of {} cells are there; 'holdfast run --status {}' says how far it is",
                  report.progress.done, report.progress.total, directory.string()));
  return answer;
}

// Shows the results that are there, and writes their files and their page.
Result<Answer> show_results(const RunAsked& asked, const Campaign& campaign,
                            std::optional<ExportFormat> format, const RunReport& report,
                            const Request& request) {
  const Host& host = *request.host;
  const fs::path directory = directory_of(asked);
  HOLDFAST_TRY(results, Results::open(directory));
  results.use_threads(threads_of(asked.threads));
  std::vector<std::string> notes;
  if (format) {
    HOLDFAST_TRY(file, export_results(results, *format, campaign.domain->fields));
    notes.push_back(fmt::format("wrote {}", file.string()));
  }
  WantedParts wanted = request.wanted;
  wanted.is_brief = wanted.is_brief && !asked.full;
  const bool is_brief = wanted.is_brief && wanted.text && !wanted.document && !wanted.data;
  HOLDFAST_TRY(kept, KeptResults::read(results, host));
  Answer answer;
  const bool has_page = kept.has_page();
  auto known = is_brief ? kept.answer() : std::nullopt;
  const bool is_new = !known || !has_page;
  if (known) {
    answer = std::move(*known);
  } else {
    HOLDFAST_TRY(made, campaign_answer(results, campaign.domain, wanted));
    answer = std::move(made);
  }
  answer.notes = std::move(notes);
  const fs::path page = directory / kReportFile;
  if (!has_page) {
    const Status written = write_report(results, page, Links::refused, host.domains, host.command);
    if (!written) {
      request.show(answer);  // the results are good
      return fail(written.error());
    }
  }
  const Progress& end = report.progress;
  if (is_new) kept.keep(is_brief ? &answer : nullptr, end.done == end.total);
  answer.closing = {fmt::format("report in {}{}", page.string(),
                                wanted.is_brief ? "; --full prints its numbers here" : "")};
  if (!asked.merge || end.done == end.total) return answer;
  answer.warnings.push_back(fmt::format(
      "{} of {} cells are missing; 'holdfast run {}' with the same --executor runs them, and only "
      "them",
      end.total - end.done, end.total, directory.string()));
  answer.is_no = true;
  return answer;
}

Result<Answer> run_or_continue(const RunAsked& asked, const Request& request) {
  const Host& host = *request.host;
  if (asked.campaign.empty()) {
    return fail(ErrorCode::usage, "campaign",
                "found nothing, expected a campaign file or a directory");
  }
  std::error_code ignored;
  if (fs::is_directory(asked.campaign, ignored) && !holds_results(asked.campaign)) {
    return fail(
        ErrorCode::bad_value, asked.campaign,
        "found a directory without results, expected a campaign file or the results of one");
  }
  if (asked.status) return status_answer(directory_of(asked));
  if (!asked.task.empty()) return run_slice(asked, request);
  if (asked.dry_run) return estimate(asked, host);
  std::optional<ExportFormat> format;
  if (!asked.exported.empty()) {
    HOLDFAST_TRY(parsed, parse_export_format(asked.exported, "/export"));
    format = parsed;
  }
  HOLDFAST_TRY(campaign, checked_campaign(asked, host));
  HOLDFAST_TRY(report, run_cells(asked, campaign, request));
  if (report.is_helper) {  // the leading process answers
    Answer answer;
    answer.is_silent = true;
    return answer;
  }
  if (!report.submitted.empty()) return submission(report, directory_of(asked));
  return show_results(asked, campaign, format, report, request);
}

constexpr auto kRunResults = std::to_array<ResultField>(
    {{"holdfast?.kind", "what the document is", Holds::text},
     {"holdfast?.version", "version of that kind", Holds::integer},
     {"campaign?", "name of the campaign", Holds::text},
     {"domain?", "its domain", Holds::text},
     {"seed?", "its seed", Holds::integer},
     {"instances?", "random instances of each point", Holds::integer},
     {"scenarios?", "draws of each instance", Holds::integer},
     {"points?[].parameters.*", "swept parameter of a point", Holds::anything},
     {"points?[]", "what was found there", kPointMembers},
     {"directory?", "with --status, the directory of results", Holds::text},
     {"is_running?", "with --status, whether a process runs it", Holds::flag},
     {"cells_done?", "with --status, --dry-run or Slurm, cells that are done", Holds::integer},
     {"cells_total?", "all cells", Holds::integer},
     {"points_done?", "with --status, points that are done", Holds::integer},
     {"points_total?", "all points", Holds::integer},
     {"submitted?[]", "jobs of Slurm that were submitted", Holds::text},
     {"points?", "with --dry-run, the number of points", Holds::integer},
     {"different_points?", "with --dry-run, points that differ", Holds::integer},
     {"cells?", "with --dry-run, number of cells", Holds::integer},
     {"seconds?", "with --dry-run, wall time", Unit::seconds},
     {"core_seconds?", "with --dry-run, processor time", Unit::seconds},
     {"threads?", "with --dry-run, number of threads", Holds::integer},
     {"sampled_cells?", "with --dry-run, cells that were run for it", Holds::integer},
     {"sampled_points?", "with --dry-run, points at which they were run", Holds::integer}});

}  // namespace

Verb run_verb() {
  return {.name = "run",
          .summary = "run a campaign: parameters x instances x scenarios x strategies",
          .example = "holdfast run examples/first-look.toml",
          .options = fields_of<kRunOptions>().parameters(),
          .positionals = fields_of<kRunCampaign>().parameters(),
          .results = kRunResults,
          .takes_instance = false,
          .takes_seed = false,
          .only_answers = false,
          .run = with_options<run_or_continue, fields_of<kRunCampaign>, fields_of<kRunOptions>>};
}

}  // namespace holdfast
