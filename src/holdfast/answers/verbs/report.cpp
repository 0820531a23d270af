#include "holdfast/answers/campaign/kept_results.hpp"
#include "holdfast/answers/campaign/live_page.hpp"
#include "holdfast/answers/campaign/report_file.hpp"
#include "holdfast/answers/files/browser.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/field/guard_page.hpp"
#include "holdfast/field/guard_report.hpp"
#include "holdfast/field/guard_status.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

struct ReportAsked {
  std::string results = {};
  std::string output = {};
  std::string plot = {};
  std::string exported = {};
  bool open = false;
  bool watch = false;
};

constexpr auto kReported = std::to_array<Field<ReportAsked>>(
    {{.name = "results",
      .summary = "directory with the results of a campaign or of a guard",
      .member = member<&ReportAsked::results>,
      .value_name = "DIR"}});
constexpr auto kReportOptions = std::to_array<Field<ReportAsked>>({
    {.name = "output",
     .summary = "the page (default DIR/report.html)",
     .member = member<&ReportAsked::output>,
     .value_name = "FILE",
     .heading = "Output"},
    {.name = "plot",
     .summary = "also write each chart as an SVG file with a white background into this directory",
     .member = member<&ReportAsked::plot>,
     .value_name = "DIR",
     .heading = "Output"},
    {.name = "export",
     .summary = "also write the results of a campaign as results.csv, results.json or cells.sqlite",
     .member = member<&ReportAsked::exported>,
     .value_name = "csv|json|sqlite",
     .heading = "Output"},
    {.name = "open",
     .summary = "show the page in a browser ($BROWSER, else xdg-open)",
     .member = member<&ReportAsked::open>,
     .heading = "Output"},
    {.name = "watch",
     .summary =
         "write the page of a guard again and again while its job runs; it reloads itself in "
         "a browser",
     .member = member<&ReportAsked::watch>,
     .heading = "Output"},
});

Status write_to(const ReportAsked& asked, const Page& page, const fs::path& file) {
  if (!asked.output.empty()) return write_page_file(page, file, Links::followed);
  const Status done = write_page_file(page, file, Links::refused);
  if (done) return {};
  Error error = done.error();
  error.message += "; name another place for the page with --output";
  return fail(std::move(error));
}

// Writes the page of a campaign into its directory, unless the one that is there is still right.
Status renew_page(const ReportAsked& asked, const fs::path& file, const Host& host) {
  HOLDFAST_TRY(results, Results::open(asked.results));
  HOLDFAST_TRY(kept, KeptResults::read(results, host));
  if (kept.has_page()) return {};
  HOLDFAST_TRY(page, report_page(results, host.domains, host.command));
  HOLDFAST_CHECK(write_to(asked, page, file));
  kept.keep(nullptr, false);
  return {};
}

/// A page, and what is said beside it.
struct Reported {
  Page page;
  Answer answer = {};
};

Result<Reported> reported_on(const std::string& directory, const Host& host) {
  if (field::holds_guard(directory)) {
    HOLDFAST_TRY(answer, field::guard_report(directory));
    HOLDFAST_TRY(page, field::guard_page(directory, host.command));
    return Reported{std::move(page), std::move(answer)};
  }
  if (!holds_results(directory)) {
    return fail(ErrorCode::bad_value, directory,
                "found no results of a campaign there; 'holdfast run CAMPAIGN.toml' makes them");
  }
  HOLDFAST_TRY(results, Results::open(directory));
  HOLDFAST_TRY(page, report_page(results, host.domains, host.command));
  return Reported{std::move(page)};
}

// Writes the page of a guard until its job has ended, or until the user has seen enough.
Status watch_guard(const ReportAsked& asked, const fs::path& file, const Request& request) {
  using Clock = std::chrono::steady_clock;
  if (!field::holds_guard(asked.results)) {
    return fail(ErrorCode::bad_value, "watch",
                fmt::format("{}: found no guard there; 'holdfast run --watch' shows a campaign",
                            asked.results));
  }
  request.voice.say(fmt::format("{} shows the job while it runs", file.string()));
  while (!request.stop.wanted()) {
    const auto begin = Clock::now();
    HOLDFAST_TRY(page, field::guard_page(asked.results, request.host->command, true));
    if (page.live.empty()) return {};
    HOLDFAST_CHECK(write_to(asked, page, file));
    const auto end = Clock::now();
    constexpr int kMilliseconds = 50;  // from one look at the clock to the next
    while (!request.stop.wanted() && Clock::now() < end + rest_after(end - begin))
      ::poll(nullptr, 0, kMilliseconds);
  }
  return {};
}

Result<Answer> report_on(const ReportAsked& asked, const Request& request) {
  if (asked.results.empty()) {
    return fail(ErrorCode::usage, "results", "found nothing, expected a directory of results");
  }
  const Host& host = *request.host;
  const fs::path file =
      asked.output.empty() ? fs::path(asked.results) / kReportFile : fs::path(asked.output);
  if (asked.watch) HOLDFAST_CHECK(watch_guard(asked, file, request));
  Answer answer;
  std::vector<fs::path> charts;
  if (asked.output.empty() && asked.plot.empty() && !field::holds_guard(asked.results) &&
      holds_results(asked.results)) {
    HOLDFAST_CHECK(renew_page(asked, file, host));
  } else {
    HOLDFAST_TRY(reported, reported_on(asked.results, host));
    if (!asked.plot.empty()) {
      HOLDFAST_TRY(written, write_charts(reported.page, asked.plot));
      charts = std::move(written);
    }
    HOLDFAST_CHECK(write_to(asked, reported.page, file));
    answer = std::move(reported.answer);
  }
  answer.document.set("report", file.string());
  answer.notes.push_back(fmt::format("report in {}", file.string()));
  if (!asked.plot.empty()) {
    Value names = Value::array();
    for (const fs::path& chart : charts) names.push(chart.string());
    answer.document.set("charts", std::move(names));
    answer.notes.push_back(fmt::format("{} in {}", counted(charts.size(), "chart"), asked.plot));
  }
  if (!asked.exported.empty()) {
    HOLDFAST_TRY(format, parse_export_format(asked.exported, "/export"));
    HOLDFAST_TRY(results, Results::open(asked.results));
    HOLDFAST_TRY(domain, find_domain(results.description().domain, host.domains));
    HOLDFAST_TRY(exported, export_results(results, format, domain->fields));
    answer.notes.push_back(fmt::format("wrote {}", exported.string()));
  }
  if (asked.open) HOLDFAST_CHECK(open_in_browser(file, host.environment("BROWSER")));
  return answer;
}

constexpr auto kReportResults =
    std::to_array<ResultField>({{"report?", "the page", Holds::text},
                                {"charts?[]", "the pictures, with --plot", Holds::text},
                                {"", "the report of a guard", field::kGuardReport}});

}  // namespace

Verb report_verb() {
  return {
      .name = "report",
      .summary = "write the results of a campaign, finished or running, as one page for a browser",
      .example = "holdfast run examples/first-look.toml && holdfast report first-look-results",
      .options = fields_of<kReportOptions>().parameters(),
      .positionals = fields_of<kReported>().parameters(),
      .results = kReportResults,
      .takes_instance = false,
      .takes_seed = false,
      .only_answers = false,
      .run = with_options<report_on, fields_of<kReported>, fields_of<kReportOptions>>};
}

}  // namespace holdfast
