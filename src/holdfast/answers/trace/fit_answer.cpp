#include "holdfast/answers/trace/fit_answer.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/models/failures/fit_trend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <utility>

namespace holdfast {
namespace {

constexpr int kCurvePoints = 200;
constexpr std::size_t kMostSteps = 2000;  // with more, a step would be narrower than a pixel
constexpr std::size_t kMostLimits = 100;  // those of Turnbull's estimate take a search each

/// Writes an interval as members of a document; an end that does not exist is left out.
void set_interval(Value& object, const ConfidenceInterval& interval) {
  if (std::isfinite(interval.low)) object.set("low", interval.low);
  if (std::isfinite(interval.high)) object.set("high", interval.high);
}

/// The same for positive values, of which `logs` are the logarithms. An end that no double can hold becomes a power of ten.
void set_interval(Value& object, const ConfidenceInterval& interval,
                  const ConfidenceInterval& logs) {
  const auto set = [&object](const std::string& name, double end, double log) {
    if (std::isfinite(end) && end != 0) {
      object.set(name, end);
    } else if (std::isfinite(log)) {
      object.set(name + "_log10", log / std::numbers::ln10);
    }
  };
  set("low", interval.low, logs.low);
  set("high", interval.high, logs.high);
}

/// Returns an end of an interval for people: "3 d 2 h", "10^412 y", "none".
std::string shown_end(double end, double log, Unit unit) {
  if (std::isinf(log)) return "none";
  if (std::isfinite(end) && end != 0) return shown_parameter(end, unit);
  const bool is_years = unit == Unit::seconds && log > 0;
  const double power = (log - (is_years ? elementary::log(kYear) : 0)) / std::numbers::ln10;
  return fmt::format("10^{:.0f}{}", power, is_years ? " y" : unit == Unit::seconds ? " s" : "");
}

std::string shown_p(double p) {
  return p > 0 ? fmt::format("p = {:.2g}", p) : "p below 1e-300";
}

std::string low_end(const FittedParameter& p) {
  return shown_end(p.interval.low, p.logs.low, p.unit);
}
std::string high_end(const FittedParameter& p) {
  return shown_end(p.interval.high, p.logs.high, p.unit);
}

Value parameter_value(const FittedParameter& parameter, const BootstrapParameter* resampled) {
  Value out =
      Value::object({{"value", parameter.value}, {"standard_error", parameter.standard_error}});
  set_interval(out, parameter.interval, parameter.logs);
  if (resampled != nullptr) {
    Value bootstrap = Value::object({{"standard_error", resampled->standard_error}});
    set_interval(bootstrap, resampled->interval);
    out.set("bootstrap", std::move(bootstrap));
  }
  return out;
}

/// Writes the quantiles of a law, and its survival at the ages that were asked for.
void set_answers(const LawFit& fit, Value& out) {
  Value quantiles = Value::array();
  for (const FittedQuantile& q : fit.quantiles) {
    Value row = Value::object({{"probability", q.probability}});
    if (std::isfinite(q.value)) row.set("value", q.value);
    set_interval(row, q.interval, q.logs);
    quantiles.push(std::move(row));
  }
  if (!fit.quantiles.empty()) out.set("quantiles", std::move(quantiles));
  Value survivals = Value::array();
  const Law law = fit.law();
  for (const FittedSurvival& s : fit.survivals) {
    Value row = Value::object({{"age", s.age}, {"value", s.value}});
    set_interval(row, s.interval);
    if (const double left = law.mean_residual_life(s.age); std::isfinite(left))
      row.set("mean_residual_life", left);
    survivals.push(std::move(row));
  }
  if (!fit.survivals.empty()) out.set("survival_at", std::move(survivals));
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
                          low_end(mean), high_end(mean), row.law.difference, row.goodness.distance,
                          row.goodness.p_value});
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
                            shown_parameter(p.standard_error, p.unit),
                            fmt::format("{} to {}", low_end(p), high_end(p))});
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
                   .resolution = choice.resolution,
                   .is_mean_seen = choice.laws.front().is_mean_seen};
  for (JudgedLaw& judged : choice.laws) {
    report.rows.push_back(
        {.law = std::move(judged.law), .goodness = judged.goodness, .bootstrap = {}});
  }
  return report;
}

std::vector<std::string> verdict_of(const FitReport& report) {
  std::string law = report.rows.front().law.fit.law().text();
  if (!report.is_mean_seen) {
    // A mean beyond what was seen is a guess; the rate was observed.
    law = fmt::format("observed rate: one failure in {}; best law of ages: {}",
                      format_duration(report.observed.mean), law.substr(0, law.rfind(", mean ")));
  }
  std::vector<std::string> out{std::move(law)};
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
  set_answers(fit, out);
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

void add_recurrence(std::span<const WatchedUnit> units, std::string_view unit, Answer& answer) {
  constexpr double kSignificance = 0.01;
  const RecurrenceTests tests = recurrence_tests(units);
  Value counts = Value::array();
  for (const auto& [failures, count] : tests.units_by_count)
    counts.push(Value(Value::Array{failures, count}));
  Value out = Value::object({{"units_by_failures", std::move(counts)}});
  const auto set = [&out](const char* name, const TestResult& test, const char* number,
                          double value) {
    Value row = Value::object({{"statistic", test.statistic}, {"p_value", test.p_value}});
    if (number != nullptr) row.set(number, value);
    out.set(name, std::move(row));
  };
  if (tests.dispersion) {
    set("dispersion", *tests.dispersion, "index", tests.dispersion_index);
    if (tests.dispersion->p_value < kSignificance && tests.dispersion_index > 1) {
      answer.lines.push_back(
          fmt::format("failures per {0} vary {1:.3g} times as much as those of {0}s with one rate "
                      "({2})",
                      unit, tests.dispersion_index, shown_p(tests.dispersion->p_value)));
    }
  }
  if (tests.laplace) set("laplace", *tests.laplace, nullptr, 0);
  if (tests.power) set("crow_amsaa", *tests.power, "shape", tests.power_shape);
  if (tests.laplace && tests.laplace->p_value < kSignificance) {
    answer.lines.push_back(
        fmt::format("failures become {} with time: Laplace's score {:+.2f} ({}), "
                    "Crow-AMSAA shape {:.3g}",
                    tests.laplace->statistic > 0 ? "more frequent" : "rarer",
                    tests.laplace->statistic, shown_p(tests.laplace->p_value), tests.power_shape));
  }
  answer.document.set("recurrence", std::move(out));
}

void add_answers(const LawFit& best, Answer& answer) {
  if (best.survivals.empty()) return;
  Table table{.title = fmt::format("by the {} law, with 95 % intervals", name_of(best.family)),
              .columns = {{.title = "age"},
                          {.title = "survival", .digits = 4},
                          {.title = "from", .digits = 4},
                          {.title = "to", .digits = 4},
                          {.title = "mean time left"}}};
  const Law law = best.law();
  for (const FittedSurvival& s : best.survivals) {
    table.rows.push_back({format_duration(s.age), s.value, s.interval.low, s.interval.high,
                          shown_parameter(law.mean_residual_life(s.age), Unit::seconds)});
  }
  answer.tables.push_back(std::move(table));
  for (const FittedQuantile& q : best.quantiles) {
    answer.lines.push_back(fmt::format("{:g} % have failed by {} (95 % interval {} to {})",
                                       100 * q.probability, shown_parameter(q.value, Unit::seconds),
                                       shown_end(q.interval.low, q.logs.low, Unit::seconds),
                                       shown_end(q.interval.high, q.logs.high, Unit::seconds)));
  }
}

void add_survival(const SurvivalCurve& curve, const LawFit& best, Answer& answer) {
  const auto steps = curve.steps();
  const bool has_gaps = curve.has_gaps();
  Value rows = Value::array();
  Table table{.title = fmt::format("survival: observed ({}, 95 %), and by the {} law", curve.name(),
                                   name_of(best.family)),
              .columns = {{.title = "age", .unit = Unit::seconds, .digits = 3}}};
  if (has_gaps) table.columns.push_back({.title = "to age", .unit = Unit::seconds, .digits = 3});
  table.columns.push_back({.title = "at risk"});
  for (const char* title : {"seen", "from", "to", "law"})
    table.columns.push_back({.title = title, .digits = 3});
  const auto add = [&](double age, double until, std::int64_t at_risk, double survival,
                       const ConfidenceInterval& interval, double hazard) {
    const double law = survival_of(best, age);
    Value row = Value::object({{"age", age}});
    std::vector<Value> cells = {age};
    // Between this age and the next row's nothing is known.
    if (has_gaps) {
      cells.push_back(until > age ? Value(until) : Value());
      if (until > age) row.set("to_age", until);
    }
    row.set("at_risk", at_risk);
    row.set("survival", survival);
    set_interval(row, interval);
    row.set("cumulative_hazard", hazard);
    row.set("law", law);
    rows.push(std::move(row));
    for (const Value& cell :
         {Value(at_risk), Value(survival), Value(interval.low), Value(interval.high), Value(law)})
      cells.push_back(cell);
    table.rows.push_back(std::move(cells));
  };
  if (has_gaps && steps.front().from > 0) add(0, steps.front().from, curve.begun(), 1, {1, 1}, 0);
  std::size_t before = steps.size();
  for (std::size_t decile = 1; decile <= 10; ++decile) {
    const std::size_t index = (decile * steps.size() + 9) / 10 - 1;
    if (index == before) continue;
    before = index;
    const SurvivalStep& step = steps[index];
    add(step.age, curve.known_until(index), step.at_risk, step.survival,
        curve.survival_interval(step.age), step.hazard);
  }
  answer.document.set("survival_estimate", curve.name());
  answer.document.set("survival", std::move(rows));
  answer.tables.push_back(std::move(table));
}

ChartLine seen_line(const SurvivalCurve& curve, std::string name) {
  const auto steps = curve.steps();
  const std::size_t most = curve.name() == "Turnbull" ? kMostLimits : kMostSteps;
  ChartLine seen{.name = std::move(name), .x = {}, .y = {}, .is_step = true};
  const auto add = [&seen](double age, double survival, const ConfidenceInterval& interval) {
    seen.x.push_back(age);
    seen.y.push_back(survival);
    seen.low.push_back(interval.low);
    seen.high.push_back(interval.high);
  };
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::size_t stride = 1 + steps.size() / most;
  if (curve.has_gaps() && steps.front().from > 0) {
    add(0.5 * steps.front().from, 1, {1, 1});
    add(steps.front().from, 1, {1, 1});
    add(steps.front().from, kNone, {kNone, kNone});
  }
  for (std::size_t i = 0; i < steps.size(); i += stride) {
    const ConfidenceInterval interval = curve.survival_interval(steps[i].age);
    add(steps[i].age, steps[i].survival, interval);
    if (i + stride >= steps.size() || steps[i + stride].from == steps[i + stride].age) continue;
    add(steps[i + stride].from, steps[i].survival, interval);
    add(steps[i + stride].from, kNone, {kNone, kNone});
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
    line.y.push_back(survival_of(fit, age));
  }
  return line;
}

Table survival_table(const SurvivalCurve& curve, double confidence) {
  Table out;
  for (const char* title : {"age", "at_risk", "failures", "survival", "low", "high", "from"}) {
    out.columns.push_back({.title = title});
  }
  for (const SurvivalStep& step : curve.steps()) {
    const ConfidenceInterval interval = curve.survival_interval(step.age, confidence);
    out.rows.push_back({step.age, step.at_risk, step.failures, step.survival, interval.low,
                        interval.high, step.from});
  }
  return out;
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
  chart.lines.push_back(seen_line(curve, fmt::format("observed ({})", curve.name())));
  for (const FittedRow& row : report.rows) {
    const LawFit& fit = row.law.fit;
    chart.lines.push_back(law_line(curve, fit, std::string(name_of(fit.family))));
    chart.lines.back().is_thick = &row == &report.rows.front();
  }
  return chart;
}

}  // namespace holdfast
