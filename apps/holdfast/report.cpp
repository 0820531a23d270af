#include "holdfast/answers/report_file.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/console.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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
    command.add_option("results", results_, "directory of a campaign's results")->type_name("DIR");
    command.add_option("--output", output_, "the page (default DIR/report.html)")
        ->type_name("FILE")
        ->group("Output");
    command.add_flag("--quiet", quiet_, "say only what went wrong")->group("Output");
  }

  Status run(Console& console) {
    console.set_quiet(quiet_);
    if (results_.empty()) {
      return fail(ErrorCode::usage, "results", "found nothing, expected a directory of results");
    }
    if (!holds_results(results_)) {
      return fail(ErrorCode::bad_value, results_,
                  "found no results of a campaign there; 'holdfast run CAMPAIGN.toml' makes them");
    }
    HOLDFAST_TRY(results, Results::open(results_));
    if (output_.empty()) {
      const Status done =
          report_to(fs::path(results_) / kReportFile, Links::refused, results, domains_, console);
      if (done) return {};
      Error error = done.error();
      error.message += "; name another place for the page with --output";
      return fail(std::move(error));
    }
    return report_to(output_, Links::followed, results, domains_, console);
  }

 private:
  Domains domains_;
  std::string results_;
  std::string output_;
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
      "report", "results of a campaign, finished or running, as one page for a browser");
  command->footer(
      "example: holdfast run examples/first-look.toml && holdfast report first-look-results");
  auto given = std::make_shared<ReportCommand>(domains);
  given->add(*command);
  command->callback([given, &console] {
    if (const Status status = given->run(console); !status) console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
