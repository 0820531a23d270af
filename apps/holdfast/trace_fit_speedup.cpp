#include "holdfast/base/text.hpp"
#include "holdfast/models/speedup/fit_errors.hpp"
#include "holdfast/models/speedup/profile.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"
#include "holdfast/trace_answer.hpp"
#include "holdfast/trace_fit_kinds.hpp"
#include "holdfast/trace_verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

constexpr std::size_t kMostDrawn = 4;  // series, each with two lines

struct FittedProfile {
  std::string title;
  SpeedupProfile profile;
  std::vector<SpeedupFit> fits;
  std::size_t preferred = 0;
};

Result<FittedProfile> fit_profile(const SpeedupRuns& runs) {
  auto profile = make_profile(runs.processors, runs.seconds);
  if (!profile) return fail(std::move(profile).error());
  FittedProfile out{.title = runs.name.empty() ? "the program" : runs.name,
                    .profile = std::move(*profile),
                    .fits = {}};
  out.fits = fit_speedups(out.profile);
  if (!out.fits.empty()) out.preferred = preferred_fit(out.fits);
  return out;
}

Value fit_value(const SpeedupFit& fit, const std::vector<SpeedupParameter>& parameters) {
  Value numbers = Value::object();
  for (const SpeedupParameter& parameter : parameters) {
    Value number = Value::object({{"value", parameter.value}});
    if (parameter.standard_error) number.set("standard_error", *parameter.standard_error);
    numbers.set(parameter.name, std::move(number));
  }
  return Value::object({{"speedup", to_value(fit.speedup)},
                        {"parameters", std::move(numbers)},
                        {"rms", fit.rms},
                        {"largest", fit.worst},
                        {"residuals", Value::list(fit.residuals)}});
}

std::string parameters_text(const std::vector<SpeedupParameter>& parameters) {
  std::string out;
  for (const SpeedupParameter& parameter : parameters) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", parameter.name,
                       to_text(parameter.value, 5));
    if (parameter.standard_error) out += " +- " + to_text(*parameter.standard_error, 2);
  }
  return out;
}

Value describe(const FittedProfile& found, const std::string& name, Answer& answer) {
  Value out = Value::object({{"name", name},
                             {"processors", Value::list(found.profile.processors)},
                             {"seconds", Value::list(found.profile.seconds)}});
  Table table{.title = found.title,
              .columns = {{.title = "model"},
                          {.title = "parameters, with standard errors"},
                          {.title = "rms error (%)", .digits = 3},
                          {.title = "largest (%)", .digits = 3},
                          {.title = ""}},
              .rows = {}};
  Value fits = Value::array();
  for (std::size_t i = 0; i < found.fits.size(); ++i) {
    const SpeedupFit& fit = found.fits[i];
    const auto parameters = fitted_parameters(found.profile, fit);
    fits.push(fit_value(fit, parameters));
    table.rows.push_back({holdfast::name(fit.speedup.model()), parameters_text(parameters),
                          100 * fit.rms, 100 * fit.worst, i == found.preferred ? "preferred" : ""});
  }
  out.set("fits", std::move(fits));
  if (found.fits.empty()) {
    answer.warnings.push_back(found.title + ": one number of processors is too few for a model");
    return out;
  }
  out.set("preferred", holdfast::name(found.fits[found.preferred].speedup.model()));
  answer.tables.push_back(std::move(table));
  return out;
}

ChartLine measured_line(const FittedProfile& found, std::string name) {
  ChartLine line{.name = std::move(name), .x = {}, .y = {}, .is_points = true};
  for (std::size_t i = 0; i < found.profile.size(); ++i) {
    line.x.push_back(static_cast<double>(found.profile.processors[i]));
    line.y.push_back(found.profile.seconds[i]);
  }
  return line;
}

// A model has values at whole numbers only; so many lie on the line, evenly in the logarithm.
ChartLine model_line(const FittedProfile& found, const SpeedupFit& fit, std::string name) {
  constexpr int kPoints = 200;
  ChartLine line{.name = std::move(name), .x = {}, .y = {}};
  const auto first = static_cast<double>(found.profile.processors.front());
  const auto last = static_cast<double>(found.profile.processors.back());
  std::int64_t before = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const auto p =
        static_cast<std::int64_t>(std::round(first * std::pow(last / first, i / double{kPoints})));
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
    if (found.fits.empty()) continue;
    chart.lines.push_back(measured_line(found, is_alone ? "measured" : found.title));
    for (std::size_t i = 0; i < found.fits.size(); ++i) {
      if (!is_alone && i != found.preferred) continue;
      const std::string model(name(found.fits[i].speedup.model()));
      chart.lines.push_back(
          model_line(found, found.fits[i], is_alone ? model : found.title + ", " + model));
    }
  }
}

}  // namespace

SpeedupProfileFit::SpeedupProfileFit(CLI::App& command) {
  command.add_option("--series", series_, "one program of a table that has several")
      ->type_name("NAME")
      ->take_last()
      ->group("Speedup");
}

std::string SpeedupProfileFit::given() const {
  return series_.empty() ? "" : "--series";
}

Result<FitOutcome> SpeedupProfileFit::run(OpenTrace trace, const FitQuestion& question) const {
  HOLDFAST_TRY(runs, trace.format->read_speedup(std::move(trace.lines)));
  FitOutcome out;
  begin_fit(question, *trace.format, out.answer);
  std::vector<FittedProfile> fitted;
  std::vector<SpeedupRuns> taken;
  std::vector<std::string_view> names;
  for (const SpeedupRuns& series : runs) {
    names.push_back(series.name);
    if (series_.empty() || series.name == series_) taken.push_back(series);
  }
  if (taken.empty()) {
    return fail(ErrorCode::usage, "--series",
                fmt::format("found no series '{}'; {}", series_, suggestion(series_, names)));
  }
  add_fact(out.answer, "programs", "programs", static_cast<std::int64_t>(taken.size()),
           fmt::format("{}", taken.size()));
  Value series = Value::array();
  for (const SpeedupRuns& one : taken) {
    HOLDFAST_TRY(found, fit_profile(one));
    series.push(describe(found, one.name, out.answer));
    fitted.push_back(std::move(found));
  }
  out.answer.document.set("series", std::move(series));
  add_oddities(oddities_of(taken).list(), out.answer);
  out.chart = {.title = question.file,
               .x = {.title = "processors", .unit = "", .is_logarithmic = true},
               .y = {.title = "run time", .unit = "s", .is_logarithmic = true},
               .lines = {}};
  if (fitted.size() > kMostDrawn) {
    out.picture_warning =
        fmt::format("the picture shows the first {} of {} programs; --series takes one", kMostDrawn,
                    fitted.size());
    fitted.resize(kMostDrawn);
  }
  draw(fitted, out.chart);
  return out;
}

}  // namespace holdfast::cli
