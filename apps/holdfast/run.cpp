#include "holdfast/campaign/run.hpp"

#include "holdfast/answers/campaign_answer.hpp"
#include "holdfast/answers/campaign_file.hpp"
#include "holdfast/answers/report_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/estimate.hpp"
#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/slurm.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/tasks.hpp"
#include "holdfast/cluster_options.hpp"
#include "holdfast/console.hpp"
#include "holdfast/format_option.hpp"
#include "holdfast/launcher.hpp"
#include "holdfast/pages/choice.hpp"
#include "holdfast/print.hpp"
#include "holdfast/progress_line.hpp"
#include "holdfast/scale_option.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

/// `holdfast run CAMPAIGN.toml|DIR`.
class RunCommand {
 public:
  explicit RunCommand(Domains domains) : domains_(domains) {}

  void add(CLI::App& command) {
    command
        .add_option("campaign", campaign_,
                    "a campaign file, or the directory of its results to continue")
        ->type_name("FILE|DIR");
    const auto add_text = [&command](const char* name, std::string& text, const char* help,
                                     const char* type, const char* group) {
      command.add_option(name, text, help)->type_name(type)->group(group);
    };
    add_text("--threads", threads_, "default: all cores; changes no byte of the results", "N",
             "Options");
    add_text("--executor", executor_, "where cells run (default local)", executor_names().c_str(),
             "Options");
    scale_.add(command);
    cluster_.add(command);
    command.add_flag("--status", status_, "say how far it is, run nothing")->group("Options");
    command
        .add_flag("--dry-run", dry_run_,
                  "say how many points and cells it has and about how long it takes; store nothing")
        ->group("Options");
    add_text("--output", output_, "directory of the results (default NAME-results, here)", "DIR",
             "Output");
    add_text("--export", export_,
             "write results.csv or results.json there: a row per cell and metric", "csv|json",
             "Output");
    command.add_flag("--force", force_, "write into a directory that holds other files")
        ->group("Output");
    command.add_flag("--merge", merge_, "gather what tasks have left, run nothing")
        ->group("Cluster");
    add_text("--task", task_, "run one slice, into its shard: what tasks are started with",
             "FOLDER/N", "");
    add_talk_options(command, talk_);
    format_.add(command);
  }

  Status run(Console& console) {
    talk_.apply(console);
    if (campaign_.empty()) {
      return fail(ErrorCode::usage, "campaign",
                  "found nothing, expected a campaign file or a directory");
    }
    HOLDFAST_CHECK(check_source());
    if (status_) return print_status(console);
    if (!task_.empty()) return run_slice(console);
    if (dry_run_) return print_estimate(console);
    HOLDFAST_TRY(shown_format, format_.read(talk_.json));
    std::optional<ExportFormat> format;
    if (!export_.empty()) {
      auto parsed = parse_export_format(export_, "--export");
      if (!parsed) return fail(parsed.error());
      format = *parsed;
    }
    HOLDFAST_TRY(campaign, read(console));
    HOLDFAST_CHECK(check_report(campaign));
    HOLDFAST_TRY(report, run_cells(campaign, console));
    if (report.is_helper) return {};  // the process that leads speaks
    if (!report.submitted.empty()) return print_submission(report, console);
    HOLDFAST_TRY(results, Results::open(directory()));
    if (format) {
      HOLDFAST_TRY(file, export_results(results, *format, campaign.domain->fields));
      console.note(fmt::format("wrote {}", file.string()));
    }
    HOLDFAST_TRY(shown, campaign_answer(results, campaign.domain, shown_format));
    print_shown(shown, shown_format, console);
    HOLDFAST_CHECK(
        report_to(directory() / kReportFile, Links::refused, results, domains_, console));
    console.note(fmt::format("results in {}", directory().string()));
    if (merge_ && report.progress.done < report.progress.total) {
      console.warn(
          fmt::format("{} of {} cells are missing; 'holdfast run {}' with the same --executor "
                      "runs them, and only them",
                      report.progress.total - report.progress.done, report.progress.total,
                      directory().string()));
      console.answer_no();
    }
    return {};
  }

 private:
  static std::string executor_names() {
    std::string names;
    for (const ExecutorEntry& entry : executors()) {
      names += (names.empty() ? "" : "|") + std::string(entry.name);
    }
    return names;
  }

  [[nodiscard]] fs::path directory() const {
    if (holds_results(campaign_)) return campaign_;
    return output_.empty() ? default_results_directory(campaign_) : fs::path(output_);
  }

  Result<Campaign> read(const Console& console) const {
    HOLDFAST_TRY(factor, scale_.read());
    if (holds_results(campaign_) && !output_.empty()) {
      return fail(ErrorCode::usage, "--output",
                  fmt::format("found it beside {}, whose results stay where they are", campaign_));
    }
    auto campaign = holds_results(campaign_)
                        ? read_campaign_of(campaign_, domains_)
                        : read_campaign_file(campaign_, domains_, console.places().data);
    if (!campaign) return campaign;
    return scaled(std::move(*campaign), factor);
  }

  Status check_source() const {
    std::error_code ignored;
    if (!fs::is_directory(campaign_, ignored) || holds_results(campaign_)) return {};
    return fail(
        ErrorCode::bad_value, campaign_,
        "found a directory without results, expected a campaign file or the results of one");
  }

  // Before hours of cells rather than after them.
  static Status check_report(const Campaign& campaign) {
    const auto choice = read_choice(describe_campaign(campaign), campaign.domain->fields);
    if (!choice) return fail(in_file(campaign.file, choice.error()));
    return {};
  }

  Result<RunReport> run_cells(const Campaign& campaign, Console& console) const {
    if (executor_ == "mpi") HOLDFAST_CHECK(check_launcher());
    RunOptions options;
    options.executor = executor_;
    options.force = force_;
    options.command = console.command();
    options.merge_only = merge_;
    if (const std::string given = cluster_.first_given(); executor_ != "slurm" && !given.empty()) {
      return fail(ErrorCode::usage, given,
                  fmt::format("found it with --executor {}, expected --executor slurm", executor_));
    }
    HOLDFAST_TRY(setup, cluster_.read());
    setup.program = console.places().program;
    if (!export_.empty()) setup.final_options = {"--export", export_};
    options.setup = std::move(setup);
    options.control.stop = console.interrupted();
    HOLDFAST_TRY(threads, read_threads(threads_));
    options.control.threads = threads;
    ProgressLine progress(console);
    options.control.progress = [&progress](const Progress& now) { progress.show(now); };
    auto report = run_campaign(campaign, directory(), options);
    progress.clear();
    if (!report || report->is_helper) return report;
    for (const std::string& warning : report->warnings) console.warn(warning);
    const Progress& end = report->progress;
    if (report->interrupted) {
      return fail(ErrorCode::interrupted, "",
                  fmt::format("stopped: {} of {} cells are kept; 'holdfast run {}' continues",
                              end.done, end.total, directory().string()));
    }
    console.detail(fmt::format("{} cells, {} of them found, {} s", end.total, end.found,
                               static_cast<int>(end.seconds)));
    return report;
  }

  Status run_slice(Console& console) const {
    // In its log from the start: where the disk is full later, what it then says has a place.
    console.note(fmt::format("{}: begins", task_));
    HOLDFAST_TRY(campaign, read_campaign_of(campaign_, domains_));
    Control control;
    control.stop = console.interrupted();
    HOLDFAST_TRY(threads, read_threads(threads_));
    control.threads = threads;
    ProgressLine progress(console);
    control.progress = [&progress](const Progress& now) { progress.show(now); };
    HOLDFAST_TRY(end, run_task(campaign, task_, control));
    progress.clear();
    if (!end) {
      console.note(fmt::format("{}: its plan is gone, others run its cells", task_));
      return {};
    }
    if (end->done < end->total) {
      return fail(ErrorCode::interrupted, task_,
                  fmt::format("stopped: {} of its {} cells are kept", end->done, end->total));
    }
    console.note(fmt::format("{}: {} cells, {} of them found", task_, end->total, end->found));
    return {};
  }

  // What a run would do, from a few cells of it.
  Status print_estimate(Console& console) const {
    HOLDFAST_TRY(campaign, read(console));
    HOLDFAST_CHECK(check_report(campaign));
    Control control;
    control.stop = console.interrupted();
    HOLDFAST_TRY(threads, read_threads(threads_));
    control.threads = threads;
    HOLDFAST_TRY(estimate, estimate_run(campaign, control));
    for (const std::string& warning : estimate.warnings) console.warn(warning);
    std::optional<CampaignStatus> found;
    if (holds_results(directory())) {
      HOLDFAST_TRY(results, Results::open(directory()));
      HOLDFAST_TRY(status, results.status());
      found = status;
    }
    if (talk_.json) {
      print_document(to_value(campaign, estimate, found), console);
      return {};
    }
    for (const std::string& line : told(campaign, estimate)) print_line(line, console);
    if (found) {
      print_line(fmt::format("{} holds {} already; those that this file asks for are not run again",
                             directory().string(), counted(found->cells_done, "cell")),
                 console);
    }
    return {};
  }

  static std::vector<std::string> told(const Campaign& campaign, const RunEstimate& estimate) {
    std::string cells = fmt::format("{}, {}: {}", counted(estimate.positions, "point"),
                                    counted(estimate.cells, "cell"),
                                    counted(campaign.strategies.size(), "strategy", "strategies"));
    cells += fmt::format(", {}, {} for each", counted(campaign.instances, "instance"),
                         counted(campaign.scenarios, "scenario"));
    if (estimate.points < estimate.positions) {
      cells +=
          fmt::format("; {} of the points are different, equal ones run once", estimate.points);
    }
    const auto time = [](double seconds) {
      return seconds < 1 ? std::string("less than 1 s")
                         : "about " + format_duration(std::round(seconds));
    };
    std::string estimated =
        fmt::format("{} on {}", time(estimate.seconds()), counted(estimate.threads, "thread"));
    if (estimate.threads > 1)
      estimated += fmt::format(" ({} of processor time)", time(estimate.core_seconds));
    return {cells, fmt::format("{}, estimated from {} that were run at {}: for each strategy the "
                               "mean time of its cells, times their number",
                               estimated, counted(estimate.sampled_cells, "cell"),
                               counted(estimate.sampled_points, "point"))};
  }

  static Value to_value(const Campaign& campaign, const RunEstimate& estimate,
                        const std::optional<CampaignStatus>& found) {
    Value out = Value::object({{"campaign", campaign.name},
                               {"points", estimate.positions},
                               {"different_points", estimate.points},
                               {"cells", estimate.cells},
                               {"seconds", estimate.seconds()},
                               {"core_seconds", estimate.core_seconds},
                               {"threads", std::uint64_t{estimate.threads}},
                               {"sampled_cells", estimate.sampled_cells},
                               {"sampled_points", estimate.sampled_points}});
    if (found) out.set("cells_done", found->cells_done);
    return out;
  }

  Status print_submission(const RunReport& report, Console& console) const {
    const Progress& end = report.progress;
    for (const std::string& line : report.submitted) print_line(line, console);
    console.note(
        fmt::format("{} of {} cells are there; 'holdfast run --status {}' says how far it is",
                    end.done, end.total, directory().string()));
    return {};
  }

  Status print_status(Console& console) const {
    HOLDFAST_TRY(results, Results::open(directory()));
    HOLDFAST_TRY(status, results.status());
    if (talk_.json) {
      print_document(Value::object({{"directory", directory().string()},
                                    {"campaign", results.description().name},
                                    {"cells_done", status.cells_done},
                                    {"cells_total", status.cells_total},
                                    {"points_done", status.points_done},
                                    {"points_total", status.points_total},
                                    {"is_running", status.is_running}}),
                     console);
      return {};
    }
    for (const std::string& job : status.jobs) {
      const auto queue = ask_queue(job);
      if (!queue) continue;
      print_line(fmt::format("job {}: {} running, {} waiting", job, counted(queue->running, "task"),
                             queue->pending),
                 console);
    }
    print_line(fmt::format("{}: {} of {} cells, {} of {} points{}", results.description().name,
                           status.cells_done, status.cells_total, status.points_done,
                           status.points_total, status.is_running ? ", running" : ""),
               console);
    return {};
  }

  Domains domains_;
  std::string campaign_;
  std::string threads_;
  std::string executor_ = "local";
  std::string output_;
  std::string export_;
  ScaleOption scale_;
  TalkOptions talk_;
  FormatOption format_;
  ClusterOptions cluster_;
  std::string task_;
  bool merge_ = false;
  bool status_ = false;
  bool dry_run_ = false;
  bool force_ = false;
};

}  // namespace

void add_run(CLI::App& root, Console& console, Domains domains) {
  CLI::App* command =
      root.add_subcommand("run", "a campaign: parameters x instances x scenarios x strategies");
  command->footer("example: holdfast run examples/first-look.toml");
  auto given = std::make_shared<RunCommand>(domains);
  given->add(*command);
  command->callback([given, &console] {
    if (const Status status = given->run(console); !status) console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
