#include "holdfast/answers/reproducing.hpp"
#include "holdfast/answers/reproduction_list.hpp"
#include "holdfast/command.hpp"
#include "holdfast/console.hpp"
#include "holdfast/memory_run.hpp"
#include "holdfast/print.hpp"
#include "holdfast/progress_line.hpp"
#include "holdfast/reproduction_table.hpp"
#include "holdfast/scale_option.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

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
    HOLDFAST_TRY(options, read_options(console));
    ProgressLine progress(console);
    options.control.progress = [&progress](const Progress& now) { progress.show(now); };
    const double scale = options.scale;
    const Reproducing reproducing(
        std::move(options), domains_, runner_in_memory(domains_, console),
        {.warn = [&console](std::string_view text) { console.warn(text); },
         .wrote =
             [&console](const fs::path& file) {
               console.note(fmt::format("wrote {}", file.string()));
             },
         .ran = [&progress] { progress.clear(); }});
    ReproductionOutput output(console, talk_.json, scale);
    HOLDFAST_CHECK(reproducing.measure(
        folders, [&output](reproduction::Reproduced one) { output.add(std::move(one)); }));
    output.finish();
    if (!report_) return {};
    HOLDFAST_TRY(file, reproducing.write_page(output.items(), console.command()));
    console.note(fmt::format("report in {}", file.string()));
    return {};
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
    print_answer(std::move(answer), talk_.json, console);
    return {};
  }

  [[nodiscard]] Result<ReproduceOptions> read_options(const Console& console) const {
    ReproduceOptions out;
    HOLDFAST_TRY(scale, scale_.read());
    HOLDFAST_TRY(threads, read_threads(threads_));
    out.scale = scale;
    if (!output_.empty()) out.directory = output_;
    out.plot = plot_;
    out.force = force_;
    out.report = report_;
    out.data = console.places().data;
    out.control.threads = threads;
    out.control.stop = console.interrupted();
    return out;
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
