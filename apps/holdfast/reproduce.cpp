#include "holdfast/answers/campaign_file.hpp"
#include "holdfast/answers/command_rows.hpp"
#include "holdfast/answers/report_file.hpp"
#include "holdfast/answers/reproduction_list.hpp"
#include "holdfast/answers/reproduction_plot.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/command.hpp"
#include "holdfast/console.hpp"
#include "holdfast/memory_run.hpp"
#include "holdfast/pages/reproduction_page.hpp"
#include "holdfast/print.hpp"
#include "holdfast/progress_line.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/measure.hpp"
#include "holdfast/reproduction/verdict.hpp"
#include "holdfast/reproduction_table.hpp"
#include "holdfast/scale_option.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;
using reproduction::Item;
using reproduction::Measured;
using reproduction::Reproduced;

/// `holdfast reproduce [ID...|--list|--all]`.
class ReproduceCommand {
 public:
  explicit ReproduceCommand(Domains domains) : domains_(domains) {}

  void add(CLI::App& command) {
    command.add_option("id", ids_, "tables and figures to measure")->type_name("ID");
    command.add_flag("--list", list_, "list all tables and figures")->group("Options");
    command.add_flag("--all", all_, "all of them")->group("Options");
    scale_.add(command);
    const auto add_text = [&command](const char* name, std::string& text, const char* help,
                                     const char* type, const char* group) {
      command.add_option(name, text, help)->type_name(type)->group(group);
    };
    add_text("--threads", threads_,
             "number of threads (default: all cores); it does not change the results", "N",
             "Options");
    add_text("--from", from_, "directory with one folder per ID", "DIR", "Options");
    add_text("--output", output_,
             "directory of the campaigns' results (default reproduce-results, here)", "DIR",
             "Output");
    add_text("--plot", plot_, "draw the figures into this directory, one svg per panel", "DIR",
             "Output");
    command.add_flag("--force", force_, "replace existing pictures")->group("Output");
    command
        .add_flag("--report", report_,
                  "also write report.html there, with published and measured values side by side")
        ->group("Output");
    add_talk_options(command, talk_);
  }

  Status run(Console& console) {
    talk_.apply(console);
    HOLDFAST_TRY(folders, chosen_folders(console));
    if (list_) return print_list(folders, console);
    HOLDFAST_TRY(scale, scale_.read());
    ReproductionOutput output(console, talk_.json, scale);
    for (const fs::path& folder : folders) {
      HOLDFAST_TRY(item, reproduction::read_item(folder));
      auto reproduced = measure_item(item, scale, console);
      if (reproduced) {
        output.add(std::move(*reproduced));
        continue;
      }
      // One item without its data does not keep the others from being measured.
      const Error& error = reproduced.error();
      if (folders.size() == 1 || error.code == ErrorCode::interrupted) return fail(error);
      output.add({.item = std::move(item), .not_run = error.text()});
    }
    output.finish();
    return report_ ? write_page_of(output.items(), scale, console) : Status{};
  }

 private:
  Result<std::vector<fs::path>> chosen_folders(const Console& console) const {
    const fs::path root = from_.empty() ? reproduce_directory(console.places()) : fs::path(from_);
    HOLDFAST_TRY(known, known_reproductions(root));
    if (list_ || all_) return known;
    return chosen_reproductions(known, ids_);
  }

  Status print_list(const std::vector<fs::path>& folders, Console& console) const {
    HOLDFAST_TRY(answer, reproduction_list(folders));
    print_answer(answer, talk_.json, console);
    return {};
  }

  [[nodiscard]] fs::path directory() const {
    return output_.empty() ? "reproduce-results" : output_;
  }

  Status write_page_of(std::span<const Reproduced> items, double scale, Console& console) const {
    std::error_code code;
    fs::create_directories(directory(), code);
    if (code) return fail(ErrorCode::io_failure, directory().string(), code.message());
    const fs::path file = directory() / kReportFile;
    HOLDFAST_CHECK(
        write_page_file(reproduction_page(items, scale, console.command()), file, Links::refused));
    console.note(fmt::format("report in {}", file.string()));
    return {};
  }

  // Campaigns that several items share have one directory, named after the folder of their file.
  [[nodiscard]] fs::path results_of(const fs::path& campaign) const {
    return directory() / campaign.parent_path().filename();
  }

  Result<Reproduced> measure_item(Item item, double scale, Console& console) const {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Measured> measured(item.rows.size());
    reproduction::Figure figure;
    std::map<std::string, std::string> units;
    if (!item.campaign.empty()) {
      HOLDFAST_TRY(results, run_cells(item.campaign, scale, console));
      HOLDFAST_TRY(from_campaign, reproduction::measure(item, results, domains_));
      measured = std::move(from_campaign);
      for (const StoredMetric& metric : results.description().metrics) {
        if (!metric.unit.empty()) units.emplace(metric.name, metric.unit);
      }
      if (item.chart && (report_ || !plot_.empty())) {
        HOLDFAST_TRY(drawn, reproduction::draw(item, results, domains_));
        figure = std::move(drawn);
        if (!plot_.empty()) HOLDFAST_CHECK(plot(item, figure, console));
      }
    }
    CommandRows commands(runner_in_memory(domains_, console));
    HOLDFAST_TRY(pictures, pictures_of(item, commands, console));
    for (std::size_t i = 0; i < item.rows.size(); ++i) {
      if (item.rows[i].command.empty()) continue;
      HOLDFAST_TRY(value, commands.measure(item, item.rows[i]));
      measured[i] = value;
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    return Reproduced{.item = std::move(item),
                      .measured = std::move(measured),
                      .figure = std::move(figure),
                      .units = std::move(units),
                      .pictures = std::move(pictures),
                      .seconds = spent.count()};
  }

  Status plot(const Item& item, const reproduction::Figure& figure, Console& console) const {
    std::error_code error;
    fs::create_directories(plot_, error);
    for (const NamedPicture& picture : holdfast::pictures_of(item, figure)) {
      HOLDFAST_CHECK(write_new_file(fs::path(plot_) / picture.file, picture.svg, force_, console));
    }
    return {};
  }

  // The report has its pictures inside, and beside it as files.
  [[nodiscard]] Result<std::vector<reproduction::Picture>> pictures_of(const Item& item,
                                                                       const CommandRows& commands,
                                                                       Console& console) const {
    if (item.drawings.empty()) return std::vector<reproduction::Picture>{};
    const auto wrote = [&console](const fs::path& file) {
      console.note(fmt::format("wrote {}", file.string()));
    };
    if (!plot_.empty()) return commands.draw(item, plot_, force_, wrote);
    if (report_) return commands.draw(item, directory(), true, wrote);
    return std::vector<reproduction::Picture>{};
  }

  Result<Results> run_cells(const fs::path& file, double scale, Console& console) const {
    HOLDFAST_TRY(campaign, read_campaign_file(file, domains_, console.places().data));
    RunOptions options;
    options.control.stop = console.interrupted();
    HOLDFAST_TRY(threads, read_threads(threads_));
    options.control.threads = threads;
    const fs::path directory = results_of(file);
    ProgressLine progress(console);
    options.control.progress = [&progress](const Progress& now) { progress.show(now); };
    auto report = run_campaign(scaled(std::move(campaign), scale), directory, options);
    progress.clear();
    if (!report) return fail(report.error());
    for (const std::string& warning : report->warnings) console.warn(warning);
    if (report->interrupted) {
      return fail(ErrorCode::interrupted, "",
                  fmt::format("stopped: {} of {} cells are kept in {}; the same command continues",
                              report->progress.done, report->progress.total, directory.string()));
    }
    return Results::open(directory);
  }

  Domains domains_;
  std::vector<std::string> ids_;
  std::string from_;
  std::string output_;
  std::string threads_;
  std::string plot_;
  ScaleOption scale_;
  TalkOptions talk_;
  bool list_ = false;
  bool all_ = false;
  bool force_ = false;
  bool report_ = false;
};

}  // namespace

void add_reproduce(CLI::App& root, Console& console, Domains domains) {
  CLI::App* command =
      root.add_subcommand("reproduce", "measure published tables and figures again, and compare");
  command->footer("example: holdfast reproduce --list");
  add_command(*command, std::make_shared<ReproduceCommand>(domains), console);
}

}  // namespace holdfast::cli
