#include "holdfast/answers/trace/fit_answer.hpp"

#include "holdfast/base/elementary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace holdfast {
namespace {

constexpr int kCurvePoints = 200;
constexpr std::size_t kMostSteps = 2000;  // with more, a step would be narrower than a pixel

/// Writes an interval as members of a document; an infinite end is left out.
void set_interval(Value& object, const ConfidenceInterval& interval) {
  if (std::isfinite(interval.low)) object.set("low", interval.low);
  if (std::isfinite(interval.high)) object.set("high", interval.high);
}

Value parameter_value(const FittedParameter& parameter, const BootstrapParameter* resampled) {
  Value out =
      Value::object({{"value", parameter.value}, {"standard_error", parameter.standard_error}});
  set_interval(out, parameter.interval);
  if (resampled != nullptr) {
    Value bootstrap = Value::object({{"standard_error", resampled->standard_error}});
    set_interval(bootstrap, resampled->interval);
    out.set("bootstrap", std::move(bootstrap));
  }
  return out;
}

Table comparison_table(const FitReport& report) {
  Table table{.title = "laws, the one to use first",
              .columns = {{.title = "law"},
                          {.title = "mtbf"},
                          {.title = "95 % from"},
                          {.title = "to"},
                          {.title = "AIC - least", .digits = 4},
                          {.title = "KS distance", .digits = 3},
                          {.title = "p", .digits = 2}}};
  for (const FittedRow& row : report.rows) {
    const LawFit& fit = row.law.fit;
    const FittedParameter& mean = fit.parameters.back();
    table.rows.push_back({name_of(fit.family), shown_parameter(mean.value, mean.unit),
                          shown_parameter(mean.interval.low, mean.unit),
                          shown_parameter(mean.interval.high, mean.unit), row.law.difference,
                          row.goodness.distance, row.goodness.p_value});
  }
  return table;
}

Table parameter_table(const FitReport& report) {
  Table table{.title = "parameters, with 95 % intervals",
              .columns = {{.title = "law"},
                          {.title = "parameter"},
                          {.title = "value"},
                          {.title = "standard error"},
                          {.title = "likelihood ratio"}}};
  const bool has_bootstrap = !report.rows.empty() && report.rows.front().bootstrap.has_value();
  if (has_bootstrap) table.columns.push_back({.title = "bootstrap"});
  for (const FittedRow& row : report.rows) {
    for (std::size_t i = 0; i < row.law.fit.parameters.size(); ++i) {
      const FittedParameter& p = row.law.fit.parameters[i];
      const auto range = [&](const ConfidenceInterval& interval) {
        return fmt::format("{} to {}", shown_parameter(interval.low, p.unit),
                           shown_parameter(interval.high, p.unit));
      };
      table.rows.push_back({name_of(row.law.fit.family), p.name, shown_parameter(p.value, p.unit),
                            shown_parameter(p.standard_error, p.unit), range(p.interval)});
      if (has_bootstrap) {
        table.rows.back().push_back(
            row.bootstrap ? Value(range(row.bootstrap->parameters[i].interval)) : Value());
      }
    }
  }
  return table;
}

// Returns a note such as "Thick: lognormal, the law called best. weibull is nearer to the observations (KS distance 0.040
// against 0.067)."
std::string best_note(const FitReport& report) {
  const FittedRow& best = report.rows.front();
  const FittedRow& nearest = *std::ranges::min_element(
      report.rows, {}, [](const FittedRow& row) { return row.goodness.distance; });
  std::string note = fmt::format("Thick: {}, the law called best.", name_of(best.law.fit.family));
  if (nearest.goodness.distance < best.goodness.distance) {
    note += fmt::format(" {} is nearer to the observations (KS distance {:.3f} against {:.3f}).",
                        name_of(nearest.law.fit.family), nearest.goodness.distance,
                        best.goodness.distance);
  }
  return note;
}

}  // namespace

FitReport report_of(LawChoice choice, const ObservedRate& observed) {
  FitReport report{.observed = observed,
                   .rows = {},
                   .refusals = choice.refusals,
                   .reason = reason_in_words(choice),
                   .cautions = cautions(choice),
                   .resolution = choice.resolution};
  for (JudgedLaw& judged : choice.laws) {
    report.rows.push_back(
        {.law = std::move(judged.law), .goodness = judged.goodness, .bootstrap = {}});
  }
  return report;
}

std::vector<std::string> verdict_of(const FitReport& report) {
  std::vector<std::string> out{report.rows.front().law.fit.law().text()};
  for (const std::string& line : {rounding_in_words(report.resolution), report.reason}) {
    if (!line.empty()) out.push_back(line);
  }
  return out;
}

Value fit_document(const FittedRow& row, std::string_view mean_name) {
  const LawFit& fit = row.law.fit;
  Value parameters = Value::object();
  for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
    const bool is_mean = i + 1 == fit.parameters.size();
    parameters.set(is_mean ? mean_name : fit.parameters[i].name,
                   parameter_value(fit.parameters[i],
                                   row.bootstrap ? &row.bootstrap->parameters[i] : nullptr));
  }
  Value out = Value::object(
      {{"distribution", name_of(fit.family)},
       {"parameters", std::move(parameters)},
       {"log_likelihood", fit.log_likelihood},
       {"aic", fit.aic},
       {"difference", row.law.difference},
       {"weight", row.law.weight},
       {"kolmogorov_smirnov",
        Value::object({{"distance", row.goodness.distance}, {"p_value", row.goodness.p_value}})}});
  if (row.bootstrap) {
    out.set("bootstrap", Value::object({{"replicates", row.bootstrap->replicates},
                                        {"refused", row.bootstrap->refused}}));
  }
  return out;
}

std::string shown_parameter(double value, Unit unit) {
  constexpr double kAges = 1000 * kYear;  // of durations this long, only the years are shown
  if (!std::isfinite(value)) return "unbounded";
  if (unit == Unit::seconds && value > kAges) return fmt::format("{:.4g} y", value / kYear);
  return unit == Unit::seconds ? format_duration(value) : fmt::format("{:.4g}", value);
}

Value observed_document(const ObservedRate& observed, std::string_view mean_name) {
  Value mean = Value::object({{"value", observed.mean}});
  set_interval(mean, observed.interval);
  return Value::object({{"failures", observed.failures},
                        {"exposure", observed.exposure},
                        {std::string(mean_name), std::move(mean)}});
}

void add_fits(const FitReport& report, Answer& answer) {
  answer.document.set("resolution", report.resolution);
  Value fits = Value::array();
  for (const FittedRow& row : report.rows) fits.push(fit_document(row));
  answer.document.set("fits", std::move(fits));
  Value refused = Value::array();
  for (const LawRefusal& refusal : report.refusals) {
    refused.push(
        Value::object({{"distribution", name_of(refusal.family)}, {"why", refusal.error.text()}}));
    answer.warnings.push_back(fmt::format("{}: {}", name_of(refusal.family), refusal.error.text()));
  }
  if (!report.refusals.empty()) answer.document.set("refused", std::move(refused));
  answer.document.set("failures", report.rows.front().law.fit.law().description());
  if (!report.reason.empty()) answer.document.set("reason", report.reason);
  answer.tables.push_back(comparison_table(report));
  answer.tables.push_back(parameter_table(report));
}

void add_survival(const SurvivalCurve& curve, const LawFit& best, Answer& answer) {
  const auto steps = curve.steps();
  Value rows = Value::array();
  Table table{.title = fmt::format("survival: observed (Kaplan-Meier, 95 %), and by the {} law",
                                   name_of(best.family)),
              .columns = {{.title = "age", .unit = Unit::seconds, .digits = 3},
                          {.title = "at risk"},
                          {.title = "seen", .digits = 3},
                          {.title = "from", .digits = 3},
                          {.title = "to", .digits = 3},
                          {.title = "law", .digits = 3}}};
  std::size_t before = steps.size();
  for (std::size_t decile = 1; decile <= 10; ++decile) {
    const std::size_t index = (decile * steps.size() + 9) / 10 - 1;
    if (index == before) continue;
    before = index;
    const SurvivalStep& step = steps[index];
    const ConfidenceInterval interval = curve.survival_interval(step.age);
    const double law = survival_of(best, step.age).value;
    Value row =
        Value::object({{"age", step.age}, {"at_risk", step.at_risk}, {"survival", step.survival}});
    set_interval(row, interval);
    row.set("cumulative_hazard", step.hazard);
    row.set("law", law);
    rows.push(std::move(row));
    table.rows.push_back({step.age, step.at_risk, step.survival, interval.low, interval.high, law});
  }
  answer.document.set("survival", std::move(rows));
  answer.tables.push_back(std::move(table));
}

ChartLine seen_line(const SurvivalCurve& curve, std::string name) {
  const auto steps = curve.steps();
  ChartLine seen{.name = std::move(name), .x = {}, .y = {}, .is_step = true};
  const std::size_t stride = 1 + steps.size() / kMostSteps;
  for (std::size_t i = 0; i < steps.size(); i += stride) {
    const ConfidenceInterval interval = curve.survival_interval(steps[i].age);
    seen.x.push_back(steps[i].age);
    seen.y.push_back(steps[i].survival);
    seen.low.push_back(interval.low);
    seen.high.push_back(interval.high);
  }
  return seen;
}

ChartLine law_line(const SurvivalCurve& curve, const LawFit& fit, std::string name) {
  const double first = curve.steps().front().age;
  const double last = std::max(curve.last_age(), 1.001 * first);
  ChartLine line{.name = std::move(name), .x = {}, .y = {}};
  for (int i = 0; i <= kCurvePoints; ++i) {
    const double age = first * elementary::pow(last / first, static_cast<double>(i) / kCurvePoints);
    line.x.push_back(age);
    line.y.push_back(survival_of(fit, age).value);
  }
  return line;
}

std::string picture_title(const std::string& file, std::string_view what) {
  const std::string name =
      file == "-" ? "standard input" : std::filesystem::path(file).filename().string();
  return fmt::format("{}: {}", name, what);
}

LineChart survival_chart(const SurvivalCurve& curve, const FitReport& report,
                         const std::string& title) {
  LineChart chart{.title = title,
                  .x = {.title = "age", .unit = "s", .is_logarithmic = true},
                  .y = {.title = "probability to survive", .unit = "", .shown = {0, 1}},
                  .lines = {}};
  chart.band = "95 % interval";
  chart.note = best_note(report);
  chart.lines.push_back(seen_line(curve, "observed (Kaplan-Meier)"));
  for (const FittedRow& row : report.rows) {
    const LawFit& fit = row.law.fit;
    chart.lines.push_back(law_line(curve, fit, std::string(name_of(fit.family))));
    chart.lines.back().is_thick = &row == &report.rows.front();
  }
  return chart;
}

}  // namespace holdfast
