#include "holdfast/answers/browser.hpp"
#include "holdfast/answers/report_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/command.hpp"
#include "holdfast/console.hpp"
#include "holdfast/field/guard_status.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

/// `holdfast report DIR`.
class ReportCommand {
 public:
  explicit ReportCommand(Domains domains) : domains_(domains) {}

  void add(CLI::App& command) {
    command
        .add_option("results", results_, "directory with the results of a campaign or of a guard")
        ->type_name("DIR");
    command.add_option("--output", output_, "the page (default DIR/report.html)")
        ->type_name("FILE")
        ->group("Output");
    command
        .add_option(
            "--plot", plot_,
            "also write each chart as an SVG file with a white background into this directory")
        ->type_name("DIR")
        ->group("Output");
    command.add_flag("--open", open_, "show the page in a browser ($BROWSER, else xdg-open)")
        ->group("Output");
    command.add_flag("--quiet", quiet_, "print errors only")->group("Output");
  }

  Status run(Console& console) {
    console.set_quiet(quiet_);
    if (results_.empty()) {
      return fail(ErrorCode::usage, "results", "found nothing, expected a directory of results");
    }
    if (field::holds_guard(results_)) return print_guard_report(results_, false, console);
    if (!holds_results(results_)) {
      return fail(ErrorCode::bad_value, results_,
                  "found no results of a campaign there; 'holdfast run CAMPAIGN.toml' makes them");
    }
    HOLDFAST_TRY(results, Results::open(results_));
    HOLDFAST_TRY(page, report_page(results, domains_, console.command()));
    const fs::path file = output_.empty() ? fs::path(results_) / kReportFile : fs::path(output_);
    HOLDFAST_CHECK(write(page, file));
    console.note(fmt::format("report in {}", file.string()));
    if (!plot_.empty()) {
      HOLDFAST_TRY(charts, write_charts(page, plot_));
      console.note(fmt::format("{} in {}", counted(charts.size(), "chart"), plot_));
    }
    if (!open_) return {};
    const char* browsers = std::getenv("BROWSER");
    return open_in_browser(file, browsers == nullptr ? "" : browsers);
  }

 private:
  [[nodiscard]] Status write(const Page& page, const fs::path& file) const {
    if (!output_.empty()) return write_page_file(page, file, Links::followed);
    const Status done = write_page_file(page, file, Links::refused);
    if (done) return {};
    Error error = done.error();
    error.message += "; name another place for the page with --output";
    return fail(std::move(error));
  }

  Domains domains_;
  std::string results_;
  std::string output_;
  std::string plot_;
  bool open_ = false;
  bool quiet_ = false;
};

}  // namespace

Status report_to(const fs::path& file, Links links, const Results& results, Domains domains,
                 Console& console) {
  HOLDFAST_CHECK(write_report(results, file, links, domains, console.command()));
  console.note(fmt::format("report in {}", file.string()));
  return {};
}

void add_report(CLI::App& root, Console& console, Domains domains) {
  CLI::App* command = root.add_subcommand(
      "report", "write the results of a campaign, finished or running, as one page for a browser");
  command->footer(
      "example: holdfast run examples/first-look.toml && holdfast report first-look-results");
  add_command(*command, std::make_shared<ReportCommand>(domains), console);
}

}  // namespace holdfast::cli
