#include "holdfast/answers/trace/fit_laws.hpp"

#include "holdfast/models/failures/fit_choice.hpp"
#include "holdfast/models/failures/fit_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast {
namespace {

// Returns "shape 0.7 +- 0.01, scale 10 h +- 5 min".
std::string parameters_of(const LawFit& fit) {
  std::string out;
  for (std::size_t i = 0; i + 1 < fit.parameters.size(); ++i) {
    const FittedParameter& p = fit.parameters[i];
    out += fmt::format("{}{} {} +- {}", i == 0 ? "" : ", ", p.name,
                       shown_parameter(p.value, p.unit), shown_parameter(p.standard_error, p.unit));
  }
  return out;
}

std::int64_t censored(const std::vector<Lifetime>& values) {
  return std::ranges::count_if(values, [](const Lifetime& life) { return life.is_censored(); });
}

}  // namespace

void begin_fit(const FitQuestion& question, const FormatFacts& format, Answer& answer) {
  answer.document.set("holdfast", Value::object({{"kind", "trace-fit"}, {"version", 1}}));
  answer.document.set("file", question.file);
  answer.document.set("format", format.name);
  answer.headline = fmt::format("{}: {}", question.file, format.summary);
  answer.tables.push_back(
      {.title = "what was read", .columns = {{.title = "what"}, {.title = "value"}}, .rows = {}});
}

Result<FitReport> fit_laws(const WatchedLives& watched, const FitQuestion& question) {
  HOLDFAST_TRY(choice, choose_law(watched, question.options, question.families));
  return report_of(std::move(choice), observed_rate(watched));
}

FittedQuantity fit_quantity(std::string name, std::string title, std::vector<Lifetime> values,
                            const FitQuestion& question) {
  FittedQuantity out{.name = std::move(name),
                     .title = std::move(title),
                     .values = std::move(values),
                     .report = {},
                     .refusal = {}};
  const double step = common_step(out.values);  // of the clock of the log
  auto report = fit_laws({.lives = out.values, .ageless = {}, .resolution = step}, question);
  if (report) {
    out.report = std::move(*report);
  } else {
    out.refusal = report.error().message;
  }
  return out;
}

Value quantity_document(const FittedQuantity& quantity) {
  Value out = Value::object({{"count", static_cast<std::int64_t>(quantity.values.size())},
                             {"censored", censored(quantity.values)}});
  if (!quantity.report.rows.empty()) {
    out.set("observed", observed_document(quantity.report.observed, "mean"));
    out.set("resolution", quantity.report.resolution);
  }
  Value fits = Value::array();
  for (const FittedRow& row : quantity.report.rows) fits.push(fit_document(row, "mean"));
  out.set("fits", std::move(fits));
  if (!quantity.report.reason.empty()) out.set("reason", quantity.report.reason);
  Value refused = Value::array();
  for (const LawRefusal& refusal : quantity.report.refusals) {
    refused.push(
        Value::object({{"distribution", name_of(refusal.family)}, {"why", refusal.error.text()}}));
  }
  if (!quantity.report.refusals.empty()) out.set("refused", std::move(refused));
  if (!quantity.refusal.empty()) out.set("refused", quantity.refusal);
  return out;
}

void add_law_table(std::span<const FittedQuantity> quantities, Answer& answer) {
  Table observed{.title = "observed",
                 .columns = {{.title = "of"},
                             {.title = "count"},
                             {.title = "censored"},
                             {.title = "mean"},
                             {.title = "95 % from"},
                             {.title = "to"}}};
  Table table{.title = "laws, the one to use first",
              .columns = {{.title = "of"},
                          {.title = "law"},
                          {.title = "parameters, with standard errors"},
                          {.title = "mean"},
                          {.title = "AIC - least", .digits = 4},
                          {.title = "KS distance", .digits = 3},
                          {.title = "p", .digits = 2}}};
  for (const FittedQuantity& quantity : quantities) {
    if (!quantity.refusal.empty()) {
      answer.warnings.push_back(fmt::format("{}: {}", quantity.title, quantity.refusal));
    }
    for (const LawRefusal& refusal : quantity.report.refusals) {
      answer.warnings.push_back(
          fmt::format("{}: {}: {}", quantity.title, name_of(refusal.family), refusal.error.text()));
    }
    if (quantity.report.rows.empty()) continue;
    const auto& [failures, exposure, mean_seen, interval] = quantity.report.observed;
    observed.rows.push_back({quantity.title, static_cast<std::int64_t>(quantity.values.size()),
                             censored(quantity.values), shown_parameter(mean_seen, Unit::seconds),
                             shown_parameter(interval.low, Unit::seconds),
                             shown_parameter(interval.high, Unit::seconds)});
    for (const std::string& caution : quantity.report.cautions) {
      answer.warnings.push_back(fmt::format("{}: {}", quantity.title, caution));
    }
    for (const std::string& line : verdict_of(quantity.report))
      answer.verdict.push_back(fmt::format("{}: {}", quantity.title, line));
    for (const FittedRow& row : quantity.report.rows) {
      const LawFit& fit = row.law.fit;
      const FittedParameter& mean = fit.parameters.back();
      table.rows.push_back({quantity.title, name_of(fit.family), parameters_of(fit),
                            shown_parameter(mean.value, mean.unit), row.law.difference,
                            row.goodness.distance, row.goodness.p_value});
    }
  }
  if (table.rows.empty()) return;
  answer.tables.push_back(std::move(observed));
  answer.tables.push_back(std::move(table));
}

void add_lines(const FittedQuantity& quantity, const std::string& name, LineChart& chart) {
  if (quantity.report.rows.empty()) return;
  const SurvivalCurve curve{quantity.values};
  const LawFit& best = quantity.report.rows.front().law.fit;
  chart.lines.push_back(seen_line(curve, name + ", observed"));
  chart.lines.push_back(law_line(curve, best, fmt::format("{}, {}", name, name_of(best.family))));
  chart.lines.back().stroke = Stroke::dashed;
  chart.lines.back().color_of = name + ", observed";
  chart.band = "95 % interval";
}

}  // namespace holdfast
