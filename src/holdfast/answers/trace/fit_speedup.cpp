#include "holdfast/answers/trace/facts.hpp"
#include "holdfast/answers/trace/fit_kinds.hpp"
#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/models/speedup/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kMostDrawn = 4;  // number of series, with two lines each

struct FittedProfile {
  SpeedupProfile profile;
  SpeedupReport report;
};

Value describe(const SpeedupReport& report, Answer& answer) {
  if (report.fits.empty()) {
    answer.warnings.push_back(too_few_for_fit(report));
    return report.document;
  }
  answer.verdict.push_back(best_in_words(report));
  answer.tables.push_back({.title = report.title,
                           .columns = {{.title = "model"},
                                       {.title = "parameters, with standard errors"},
                                       {.title = "rms error (%)", .digits = 3},
                                       {.title = "largest (%)", .digits = 3},
                                       {.title = ""}},
                           .rows = report.rows});
  return report.document;
}

ChartLine measured_line(const FittedProfile& found, std::string name) {
  ChartLine line{.name = std::move(name), .x = {}, .y = {}, .is_points = true};
  for (std::size_t i = 0; i < found.profile.size(); ++i) {
    line.x.push_back(static_cast<double>(found.profile.processors[i]));
    line.y.push_back(found.profile.seconds[i]);
  }
  return line;
}

// A model has values only at whole numbers; about kPoints of them are on the line, evenly spaced in the logarithm.
ChartLine model_line(const FittedProfile& found, const SpeedupFit& fit, std::string name) {
  constexpr int kPoints = 200;
  ChartLine line{.name = std::move(name), .x = {}, .y = {}};
  const auto first = static_cast<double>(found.profile.processors.front());
  const auto last = static_cast<double>(found.profile.processors.back());
  std::int64_t before = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const auto p = static_cast<std::int64_t>(
        std::round(first * elementary::pow(last / first, i / double{kPoints})));
    if (p == before) continue;
    before = p;
    line.x.push_back(static_cast<double>(p));
    line.y.push_back(fit.speedup.time(p));
  }
  return line;
}

void draw(const std::vector<FittedProfile>& all, LineChart& chart) {
  const bool is_alone = all.size() == 1;
  for (const FittedProfile& found : all) {
    const SpeedupReport& report = found.report;
    if (report.fits.empty()) continue;
    chart.lines.push_back(measured_line(found, is_alone ? "measured" : report.title));
    for (std::size_t i = 0; i < report.fits.size(); ++i) {
      if (!is_alone && i != report.preferred) continue;
      const std::string model(name(report.fits[i].speedup.model()));
      chart.lines.push_back(
          model_line(found, report.fits[i], is_alone ? model : report.title + ", " + model));
      if (!is_alone) chart.lines.back().color_of = report.title;
      if (is_alone) chart.lines.back().is_thick = i == report.preferred;
    }
  }
}

}  // namespace

Result<Answer> fit_speedup(const FormatOf<SpeedupTable>& format, TraceText lines,
                           const std::string& wanted, const FitQuestion& question) {
  HOLDFAST_TRY(runs, format.read(std::move(lines)));
  Answer out;
  begin_fit(question, format.facts, out);
  std::vector<FittedProfile> fitted;
  std::vector<SpeedupRuns> taken;
  std::vector<std::string_view> names;
  for (const SpeedupRuns& series : runs) {
    names.push_back(series.name);
    if (wanted.empty() || series.name == wanted) taken.push_back(series);
  }
  if (taken.empty()) {
    return fail(
        ErrorCode::usage, "--series",
        fmt::format("found no series {}; {}", in_quotes(wanted), suggestion(wanted, names)));
  }
  add_fact(out, "programs", "programs", static_cast<std::int64_t>(taken.size()),
           fmt::format("{}", taken.size()));
  Value series = Value::array();
  for (const SpeedupRuns& one : taken) {
    HOLDFAST_TRY(profile, make_profile(one.processors, one.seconds));
    const auto fewest = std::ranges::min_element(one.processors) - one.processors.begin();
    const auto most = std::ranges::max_element(one.processors) - one.processors.begin();
    const double first = one.seconds[static_cast<std::size_t>(fewest)];
    const double last = one.seconds[static_cast<std::size_t>(most)];
    if (last > first) {
      out.warnings.push_back(fmt::format(
          "{}: the run time grows from {} on {} to {} on {} processors; these models describe a "
          "fixed amount of work, so say nothing about a problem that grows with the machine",
          one.name.empty() ? "the program" : one.name, format_duration(first),
          one.processors[static_cast<std::size_t>(fewest)], format_duration(last),
          one.processors[static_cast<std::size_t>(most)]));
    }
    auto report = report_speedup(one.name, profile);
    series.push(describe(report, out));
    fitted.push_back({.profile = std::move(profile), .report = std::move(report)});
  }
  out.document.set("series", std::move(series));
  add_oddities(oddities_of(taken).list(), out);
  out.chart = {.title = picture_title(question.file, "run times by processors"),
               .x = {.title = "processors", .unit = "", .is_logarithmic = true},
               .y = {.title = "run time", .unit = "s", .is_logarithmic = true},
               .lines = {}};
  if (fitted.size() > kMostDrawn) {
    out.chart.left_out =
        fmt::format("the picture shows the first {} of {} programs; --series takes one", kMostDrawn,
                    fitted.size());
    fitted.resize(kMostDrawn);
  }
  draw(fitted, out.chart);
  return out;
}

}  // namespace holdfast
