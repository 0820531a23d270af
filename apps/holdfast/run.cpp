#include "holdfast/campaign/run.hpp"

#include "holdfast/answer_options.hpp"
#include "holdfast/answers/campaign_answer.hpp"
#include "holdfast/answers/campaign_file.hpp"
#include "holdfast/answers/report_file.hpp"
#include "holdfast/answers/run_answer.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/estimate.hpp"
#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/tasks.hpp"
#include "holdfast/cluster_options.hpp"
#include "holdfast/command.hpp"
#include "holdfast/console.hpp"
#include "holdfast/launcher.hpp"
#include "holdfast/pages/choice.hpp"
#include "holdfast/print.hpp"
#include "holdfast/progress_line.hpp"
#include "holdfast/scale_option.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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
    add_text("--threads", threads_,
             "number of threads (default: all cores); it does not change the results", "N",
             "Options");
    add_text("--executor", executor_, "what runs the cells (default local)",
             executor_names().c_str(), "Options");
    scale_.add(command);
    cluster_.add(command);
    command.add_flag("--status", status_, "print the progress and run nothing")->group("Options");
    command
        .add_flag("--dry-run", dry_run_,
                  "print the number of points and cells and an estimate of the time; store nothing")
        ->group("Options");
    add_text("--output", output_, "directory of the results (default NAME-results, here)", "DIR",
             "Output");
    add_text("--export", export_,
             "also write results.csv or results.json, with one row per cell and metric", "csv|json",
             "Output");
    command.add_flag("--force", force_, "write into a directory that holds other files")
        ->group("Output");
    command.add_flag("--merge", merge_, "merge the results of the tasks and run nothing")
        ->group("Cluster");
    add_text("--task", task_,
             "run one slice and store its results in a shard; the scheduler starts tasks with this "
             "option",
             "FOLDER/N", "");
    answer_.add(command);
  }

  Status run(Console& console) {
    HOLDFAST_CHECK(answer_.begin(console));
    if (campaign_.empty()) {
      return fail(ErrorCode::usage, "campaign",
                  "found nothing, expected a campaign file or a directory");
    }
    HOLDFAST_CHECK(check_source());
    if (status_) return print_status(console);
    if (!task_.empty()) return run_slice(console);
    if (dry_run_) return print_estimate(console);
    std::optional<ExportFormat> format;
    if (!export_.empty()) {
      auto parsed = parse_export_format(export_, "--export");
      if (!parsed) return fail(parsed.error());
      format = *parsed;
    }
    HOLDFAST_TRY(campaign, read(console));
    HOLDFAST_CHECK(check_report(campaign));
    HOLDFAST_TRY(report, run_cells(campaign, console));
    if (report.is_helper) return {};  // the leading process prints the report
    if (!report.submitted.empty()) return print_submission(report, console);
    HOLDFAST_TRY(results, Results::open(directory()));
    if (format) {
      HOLDFAST_TRY(file, export_results(results, *format, campaign.domain->fields));
      console.note(fmt::format("wrote {}", file.string()));
    }
    HOLDFAST_TRY(answer, campaign_answer(results, campaign.domain, answer_.format()));
    HOLDFAST_CHECK(answer_.deliver(std::move(answer), console));
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
      return fail(
          ErrorCode::usage, "--output",
          fmt::format("found it together with {}, whose results stay where they are", campaign_));
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

  // Checks the table [report] before the cells run, which may take hours.
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
    // The first line goes into the log at once, so that the log has a block on the disk even if the disk is full later.
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
      console.note(fmt::format("{}: its plan is gone; other tasks run its cells", task_));
      return {};
    }
    if (end->done < end->total) {
      return fail(ErrorCode::interrupted, task_,
                  fmt::format("stopped: {} of its {} cells are kept", end->done, end->total));
    }
    console.note(fmt::format("{}: {} cells, {} of them found", task_, end->total, end->found));
    return {};
  }

  // Prints an estimate of the run, from a few of its cells.
  Status print_estimate(Console& console) const {
    HOLDFAST_TRY(campaign, read(console));
    HOLDFAST_CHECK(check_report(campaign));
    Control control;
    control.stop = console.interrupted();
    HOLDFAST_TRY(threads, read_threads(threads_));
    control.threads = threads;
    HOLDFAST_TRY(estimate, estimate_run(campaign, control));
    HOLDFAST_TRY(answer, estimate_answer(campaign, estimate, directory()));
    return answer_.deliver(std::move(answer), console);
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
    HOLDFAST_TRY(answer, status_answer(directory()));
    return answer_.deliver(std::move(answer), console);
  }

  Domains domains_;
  std::string campaign_;
  std::string threads_;
  std::string executor_ = "local";
  std::string output_;
  std::string export_;
  ScaleOption scale_;
  AnswerOptions answer_{"run", {.takes_output = false}};
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
      root.add_subcommand("run", "run a campaign: parameters x instances x scenarios x strategies");
  command->footer("example: holdfast run examples/first-look.toml");
  add_command(*command, std::make_shared<RunCommand>(domains), console);
}

}  // namespace holdfast::cli
