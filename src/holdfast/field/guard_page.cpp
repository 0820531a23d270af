#include "holdfast/field/guard_page.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/guard_report.hpp"
#include "holdfast/field/guard_status.hpp"
#include "holdfast/report/chart/lines.hpp"
#include "holdfast/report/schedule.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace holdfast::field {
namespace {

PageSection where_time_went(const History& history) {
  Table table{.columns = {{.title = "what"},
                          {.title = "time", .unit = Unit::seconds},
                          {.title = "% of all", .digits = 3}}};
  const auto add = [&](const char* what, double seconds) {
    table.rows.push_back({what, seconds, history.clock > 0 ? 100 * seconds / history.clock : 0});
  };
  add("work that was saved", history.saved);
  add("work that was lost", history.lost);
  add("checkpoints", history.saving);
  add("recoveries", history.recovering);
  add("downtime", history.down);
  return {.id = "time", .title = "Where the time went", .tables = {std::move(table)}};
}

PageSection failure_section(const History& history) {
  Table table{.columns = {{.title = "at", .unit = Unit::seconds},
                          {.title = "how it showed"},
                          {.title = "work lost", .unit = Unit::seconds},
                          {.title = "down", .unit = Unit::seconds},
                          {.title = "remark"}}};
  for (const PastFailure& one : history.failures) {
    table.rows.push_back({one.clock, one.cause, one.lost, one.down,
                          one.was_saving   ? "while it saved"
                          : one.by_request ? "by the request for a checkpoint"
                          : one.is_quick   ? "soon after its start"
                                           : ""});
  }
  PageSection out{.id = "failures", .title = "Failures"};
  if (table.rows.empty()) {
    out.lines.emplace_back("The program has not failed.");
  } else {
    out.tables.push_back(std::move(table));
  }
  return out;
}

PageSection other_rules(const Replay& replay) {
  PageSection out{.id = "rules", .title = "The same failures with other rules"};
  if (replay.strategies.empty()) {
    out.lines.emplace_back(
        "No rule can be compared yet: nothing was saved, or no checkpoint was timed.");
    return out;
  }
  Table table{.title = "the work that is saved now, simulated with the failures that struck",
              .columns = {{.title = "rule"},
                          {.title = "time", .unit = Unit::seconds},
                          {.title = "% more than measured", .digits = 3},
                          {.title = "failures", .digits = 3},
                          {.title = "with failures after the record", .unit = Unit::seconds}}};
  table.rows.push_back({"as it was", replay.measured, 0, replay.failures, Value()});
  for (const Replayed& one : replay.strategies) {
    table.rows.push_back({one.strategy, one.makespan, 100 * (one.makespan / replay.measured - 1),
                          one.failures, one.continued ? Value(*one.continued) : Value()});
  }
  out.tables.push_back(std::move(table));
  return out;
}

// What a checkpoint and a recovery cost, as it was estimated at each date; nothing if no two estimates differ in time.
std::optional<PageChart> estimates_of(const History& history) {
  LineChart chart{.title = "",
                  .x = {.title = "time of the guard", .unit = "s"},
                  .y = {.title = "cost", .unit = "s", .shown = {0}},
                  .lines = {}};
  for (const auto& [name, member] : {std::pair{"checkpoint", &PastEstimate::checkpoint},
                                     std::pair{"recovery", &PastEstimate::recovery}}) {
    ChartLine line{.name = name, .x = {}, .y = {}, .is_step = true};
    for (const PastEstimate& one : history.estimates) {
      if (!(one.*member)) continue;
      line.x.push_back(one.clock);
      line.y.push_back(*(one.*member));
    }
    if (line.x.size() > 1 && line.x.back() > line.x.front()) chart.lines.push_back(std::move(line));
  }
  if (chart.lines.empty()) return std::nullopt;
  return page_chart("estimates", "What was learned",
                    "What a checkpoint and a recovery cost, as it was estimated at each date.",
                    std::move(chart));
}

Result<PagePicture> picture_of(const Timeline& course, const std::string& command) {
  PagePicture out{.id = "course", .title = "The course of the job", .command = command, .svg = {}};
  const std::array<NamedTimeline, 1> one = {{{"", &course}}};
  HOLDFAST_CHECK(write_schedule_svg(one, {.title = "", .note = ""}, [&out](std::string_view text) {
    out.svg += text;
    return Status();
  }));
  return out;
}

}  // namespace

Result<Page> guard_page(const std::filesystem::path& directory, const std::string& command,
                        bool watches) {
  HOLDFAST_TRY(status, read_guard_status(directory));
  HOLDFAST_TRY(replay, replay_of(status));
  const History& history = status.history;
  Page page;
  page.title = directory.filename().string();
  page.kicker = "guarded job";
  page.command = command;
  if (watches && status.is_guarded)
    page.live = fmt::format("running, as seen at {}", format_date(std::floor(status.time)));
  for (std::string& line : status_lines(history, status.is_guarded, status.time)) {
    const bool is_warning = line.starts_with("warning: ");
    (is_warning ? page.warnings : page.answers)
        .push_back(is_warning ? line.substr(line.find(' ') + 1) : line + '.');
  }
  PageSection course{.id = "course-of-job", .title = "What happened"};
  Timeline timeline = history.course.timeline();
  if (timeline.rows() > 0) {
    for (const PastFailure& one : history.failures)
      timeline.add({"failure", one.clock, one.clock, false});
    timeline.sort_by_start();
    HOLDFAST_TRY(picture, picture_of(timeline, command));
    course.pictures.push_back(std::move(picture));
  }
  if (auto learned = estimates_of(history)) course.charts.push_back(std::move(*learned));
  page.sections = {std::move(course), where_time_went(history), failure_section(history),
                   other_rules(replay)};
  return page;
}

}  // namespace holdfast::field
