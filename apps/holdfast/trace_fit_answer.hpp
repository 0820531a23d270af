#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/models/failures/fit.hpp"
#include "holdfast/models/failures/fit_bootstrap.hpp"
#include "holdfast/models/failures/fit_curve.hpp"
#include "holdfast/models/failures/fit_goodness.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::cli {

/// One fitted law with all that was asked about it.
struct FittedRow {
  LawComparison law;
  GoodnessOfFit goodness;
  std::optional<BootstrapResult> bootstrap;
};

/// What `trace fit` found, ready to be said.
struct FitReport {
  std::vector<FittedRow> rows;  ///< best first
  std::vector<LawRefusal> refusals;
};

/// The laws: "fits", "refused" and "failures" (the best law as documents say it) of the document, two tables.
void add_fits(const FitReport& report, Answer& answer);

/// The survival that was seen beside that of the best law, at the deciles of the ages at failure.
void add_survival(const SurvivalCurve& curve, const LawFit& best, Answer& answer);

/// A picture of the same: Kaplan-Meier with its 95 % interval and all fitted laws, over the logarithm of age.
[[nodiscard]] std::string survival_picture(const SurvivalCurve& curve, const FitReport& report,
                                           const std::string& title);

}  // namespace holdfast::cli
