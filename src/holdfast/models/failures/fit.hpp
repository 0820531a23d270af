#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit_maximum.hpp"
#include "holdfast/models/failures/fit_sample.hpp"
#include "holdfast/models/failures/law.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast {

/// Two numbers between which something lies with the confidence asked for. Ends may be infinite.
struct ConfidenceInterval {
  double low = 0;
  double high = 0;
  friend bool operator==(const ConfidenceInterval&, const ConfidenceInterval&) = default;
};

/// One number of a fitted law.
struct FittedParameter {
  std::string_view name;  ///< as in documents: "shape", "scale", "mtbf", "log_mean", "log_sd"
  Unit unit = Unit::none;
  double value = 0;
  double standard_error = 0;    ///< from the observed information
  ConfidenceInterval interval;  ///< 95 % likelihood-ratio interval
};

/// A law fitted to lifetimes by maximum likelihood.
struct LawFit {
  LawFamily family = LawFamily::exponential;
  std::vector<FittedParameter>
      parameters;  ///< the law's own, in the order of its documents; the mean (mtbf) last
  double log_likelihood = 0;  ///< of densities per second
  double aic = 0;             ///< 2 free parameters - 2 log-likelihood: smaller is better
  std::int64_t lives = 0;
  std::int64_t failures = 0;

  LawPoint point;         ///< the fitted law in the coordinates of fit_likelihood.hpp
  Covariance covariance;  ///< of these coordinates
  double log_unit = 0;    ///< ln of their unit of time in seconds

  [[nodiscard]] const FittedParameter& parameter(std::string_view name) const;
  [[nodiscard]] double mean() const { return parameters.back().value; }
  /// The law itself; its description() is what a document says of it, the mean under "mtbf".
  [[nodiscard]] Law law() const;
};

/// How much of a fit is asked for.
struct FitOptions {
  bool intervals =
      true;  ///< likelihood-ratio intervals of all parameters (else both ends are the value)
  double confidence = 0.95;  ///< of the intervals, in (0, 1)
};

/// Fits one law. Errors (empty place): fewer than two failures for a law of two parameters, all failures at one age, a
/// likelihood without a maximum.
[[nodiscard]] Result<LawFit> fit_law(LawFamily family, const LifetimeSample& sample,
                                     const FitOptions& options = {});
/// The same from lifetimes as they are.
[[nodiscard]] Result<LawFit> fit_law(LawFamily family, std::span<const Lifetime> lives,
                                     const FitOptions& options = {});

/// One row of a comparison of laws.
struct LawComparison {
  LawFit fit;
  double difference = 0;  ///< AIC minus that of the best law
  double weight = 0;      ///< Akaike weight exp(-difference / 2), scaled to sum 1
};

/// A law that could not be fitted, and why.
struct LawRefusal {
  LawFamily family = LawFamily::exponential;
  Error error;
};

struct LawTable {
  std::vector<LawComparison> rows;  ///< smallest AIC first
  std::vector<LawRefusal> refusals;
};

/// All laws (or those asked for) on one sample, best first. An error only where none can be fitted.
[[nodiscard]] Result<LawTable> compare_laws(const LifetimeSample& sample,
                                            const FitOptions& options = {},
                                            std::span<const LawFamily> families = {});

/// The family of that name ("weibull"), or an error with a suggestion and an empty place.
[[nodiscard]] Result<LawFamily> law_family(std::string_view name);
[[nodiscard]] std::span<const LawFamily> law_families();

/// Probability that a fitted law survives an age, with an interval that is symmetric on the scale of ln H = ln(-ln S)
/// (delta method) and so never leaves [0, 1].
struct FittedSurvival {
  double value = 1;
  ConfidenceInterval interval{1, 1};
};
/// @param age  seconds, >= 0
[[nodiscard]] FittedSurvival survival_of(const LawFit& fit, double age, double confidence = 0.95);

}  // namespace holdfast
