#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/models/failures/fit.hpp"
#include "holdfast/models/failures/fit_bootstrap.hpp"
#include "holdfast/models/failures/fit_curve.hpp"
#include "holdfast/models/failures/fit_goodness.hpp"
#include "holdfast/models/failures/fit_rate.hpp"
#include "holdfast/report/line_chart.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// One fitted law with all that was asked about it.
struct FittedRow {
  LawComparison law;
  GoodnessOfFit goodness;
  std::optional<BootstrapResult> bootstrap;
};

/// What `trace fit` found, ready to be said.
struct FitReport {
  ObservedRate observed;
  std::vector<FittedRow> rows;  ///< the one to use first, then by AIC
  std::vector<LawRefusal> refusals;
  std::string reason;                 ///< why the first is used where AIC alone would take another
  std::vector<std::string> cautions;  ///< what it cannot know
};

/// Returns one law for programs. @param mean_name  what the mean is called there: of failures, "mtbf"
[[nodiscard]] Value fit_document(const FittedRow& row, std::string_view mean_name = "mtbf");

/// Returns a number of a law for people: durations with their units, beyond 1000 years in years alone.
[[nodiscard]] std::string shown_parameter(double value, Unit unit);

/// Failures over exposure, with a confidence interval, for programs. @param mean_name  as in fit_document
[[nodiscard]] Value observed_document(const ObservedRate& observed,
                                      std::string_view mean_name = "mtbf");

/// The laws: "fits", "refused" and "failures" (the best law as documents say it) of the document, two tables.
void add_fits(const FitReport& report, Answer& answer);

/// The survival that was seen beside that of the best law, at the deciles of the ages at failure.
void add_survival(const SurvivalCurve& curve, const LawFit& best, Answer& answer);

/// Returns the same as a chart: Kaplan-Meier with its 95 % interval and all fitted laws, over the logarithm of age. The law that is
/// called best is the thickest line, and a note says so where another one lies nearer to what was seen.
[[nodiscard]] LineChart survival_chart(const SurvivalCurve& curve, const FitReport& report,
                                       const std::string& title);

/// Returns what a picture of a file is called: "lanl.csv: system 20, survival". The folder says nothing there.
[[nodiscard]] std::string picture_title(const std::string& file, std::string_view what);

/// Lines of such a chart: what was seen, as steps within their intervals, and a law between the first failure and the last
/// age. @pre curve.steps() is not empty
[[nodiscard]] ChartLine seen_line(const SurvivalCurve& curve, std::string name);
[[nodiscard]] ChartLine law_line(const SurvivalCurve& curve, const LawFit& fit, std::string name);

}  // namespace holdfast
