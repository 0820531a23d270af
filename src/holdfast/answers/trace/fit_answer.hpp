#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/models/failures/fit.hpp"
#include "holdfast/models/failures/fit_bootstrap.hpp"
#include "holdfast/models/failures/fit_choice.hpp"
#include "holdfast/models/failures/fit_curve.hpp"
#include "holdfast/report/chart/lines.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// One fitted law with all its results.
struct FittedRow {
  LawComparison law;                         ///< the fitted law and its AIC
  GoodnessOfFit goodness;                    ///< its distance to the observations
  std::optional<BootstrapResult> bootstrap;  ///< the spread of its parameters, if it was asked for
};

/// The results of `trace fit`.
struct FitReport {
  ObservedRate observed;             ///< failures over exposure
  std::vector<FittedRow> rows;       ///< the law to use, then the others in order of AIC
  std::vector<LawRefusal> refusals;  ///< laws that could not be fitted
  std::string reason;  ///< the reason for the first law if AIC alone would choose another
  std::vector<std::string> cautions;  ///< limits of the first law
  double resolution = 0;  ///< ages were taken as plus or minus half of this, seconds; 0: as exact
  bool is_mean_seen =
      true;  ///< the mean of the first law is no longer than the longest observed life
};

/// Returns what was chosen, with the reasons in words and without a bootstrap.
[[nodiscard]] FitReport report_of(LawChoice choice, const ObservedRate& observed);
/// Returns the first lines: the law to use, how ages were rounded, and why not the law of least AIC.
[[nodiscard]] std::vector<std::string> verdict_of(const FitReport& report);

/// Returns one law as a document.
/// @param mean_name  the name of the mean in the document; for failures "mtbf"
[[nodiscard]] Value fit_document(const FittedRow& row, std::string_view mean_name = "mtbf");

/// Returns a number of a law for people: durations with their units; above 1000 years, only in years.
[[nodiscard]] std::string shown_parameter(double value, Unit unit);

/// Returns failures over exposure with a confidence interval, as a document.
/// @param mean_name  as in fit_document()
[[nodiscard]] Value observed_document(const ObservedRate& observed,
                                      std::string_view mean_name = "mtbf");

/// Adds the laws: members "resolution", "fits", "refused" and "failures" (the best law in the form of instances) and two tables.
void add_fits(const FitReport& report, Answer& answer);

/// Adds what the failures say without any law: how many units failed how often, and tests of one rate and of a trend. The lines
/// say only what is rejected at 1 %.
/// @param unit  "node"
void add_recurrence(std::span<const WatchedUnit> units, std::string_view unit, Answer& answer);

/// Adds a table of what was asked of the best law at given ages: its survival with an interval, and the mean time left.
void add_answers(const LawFit& best, Answer& answer);

/// Adds a table with the observed survival and that of the best law, at the deciles of the ages at failure.
void add_survival(const SurvivalCurve& curve, const LawFit& best, Answer& answer);

/// Returns a chart of the survival: Kaplan-Meier with its 95 % interval and all fitted laws, over the logarithm of the age. The
/// best law is the thickest line. If another law is nearer to the observations, a note says so.
[[nodiscard]] LineChart survival_chart(const SurvivalCurve& curve, const FitReport& report,
                                       const std::string& title);

/// Returns the steps of the curve as a table: age (seconds), number at risk, failures, survival, the two ends of its interval,
/// and the age from which it is known.
[[nodiscard]] Table survival_table(const SurvivalCurve& curve, double confidence = 0.95);

/// Returns the title of a picture of a file, without the folder of the file: "lanl.csv: system 20, survival".
[[nodiscard]] std::string picture_title(const std::string& file, std::string_view what);

/// Return lines of such a chart: the observations as steps with their intervals, and a law between the first failure and the
/// last age.
/// @pre curve.steps() is not empty
[[nodiscard]] ChartLine seen_line(const SurvivalCurve& curve, std::string name);
[[nodiscard]] ChartLine law_line(const SurvivalCurve& curve, const LawFit& fit, std::string name);

}  // namespace holdfast
