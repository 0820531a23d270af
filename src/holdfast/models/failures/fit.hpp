#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit_maximum.hpp"
#include "holdfast/models/failures/fit_sample.hpp"
#include "holdfast/models/failures/law.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast {

/// An interval that contains a value with the requested confidence. Its ends may be infinite.
struct ConfidenceInterval {
  double low = 0;   ///< lower end, in the unit of the value
  double high = 0;  ///< upper end, in the unit of the value
  friend bool operator==(const ConfidenceInterval&, const ConfidenceInterval&) = default;
};

/// One number of a fitted law.
struct FittedParameter {
  std::string_view name;      ///< name in documents: "shape", "scale", "mtbf", "log_mean", "log_sd"
  Unit unit = Unit::none;     ///< unit of the parameter
  double value = 0;           ///< maximum likelihood estimate, in that unit
  double standard_error = 0;  ///< standard error from the observed information
  /// 95 % likelihood-ratio interval. An end is 0 or infinite if it does not exist, or if no double can hold it.
  ConfidenceInterval interval;
  /// Natural logarithms of its ends (of log_mean: the ends themselves); infinite only if an end does not exist.
  ConfidenceInterval logs;
};

/// The age by which a unit has failed with a given probability.
struct FittedQuantile {
  double probability = 0;       ///< in (0, 1); 0.5 for the median
  double value = 0;             ///< seconds
  ConfidenceInterval interval;  ///< as in FittedParameter
  ConfidenceInterval logs;      ///< as in FittedParameter
};

/// The probability that a lifetime exceeds an age.
struct FittedSurvival {
  double age = 0;                     ///< seconds
  double value = 1;                   ///< estimated probability
  ConfidenceInterval interval{1, 1};  ///< likelihood-ratio interval
};

/// A law fitted to lifetimes by maximum likelihood.
struct LawFit {
  LawFamily family = LawFamily::exponential;  ///< the fitted law's family
  /// The law's own parameters, in the order of its documents; the mean (mtbf) is last.
  std::vector<FittedParameter> parameters;
  double log_likelihood = 0;  ///< log-likelihood of densities per second
  double aic = 0;             ///< 2 x free parameters - 2 x log-likelihood; smaller is better

  std::vector<FittedQuantile> quantiles;  ///< those asked for, in their order
  std::vector<FittedSurvival> survivals;  ///< at the ages asked for, in their order

  LawPoint point;         ///< the fitted law in the coordinates of fit_likelihood.hpp
  Covariance covariance;  ///< covariance of these coordinates
  double log_unit = 0;    ///< ln of the unit of time of these coordinates, in seconds

  /// Returns the parameter of that name.
  /// @pre the law has it
  [[nodiscard]] const FittedParameter& parameter(std::string_view name) const;
  /// Returns the mean of the fitted law, in seconds.
  [[nodiscard]] double mean() const { return parameters.back().value; }
  /// Returns the law itself. Its description() is its form in a document, with the mean under "mtbf".
  [[nodiscard]] Law law() const;
};

/// What a fit computes.
struct FitOptions {
  /// True: compute likelihood-ratio intervals of all parameters. False: both ends of each interval are the value.
  bool intervals = true;
  double confidence = 0.95;  ///< confidence of the intervals, in (0, 1)
  std::vector<double> quantiles =
      {};                         ///< probabilities of the quantiles that are wanted, in (0, 1)
  std::vector<double> ages = {};  ///< ages whose survival is wanted, seconds, above 0
};

/// Fits one law. Errors (with an empty place) are: fewer than two failures for a law with two parameters, all failures at one
/// age, a likelihood without a maximum.
[[nodiscard]] Result<LawFit> fit_law(LawFamily family, const LifetimeSample& sample,
                                     const FitOptions& options = {});
/// Fits one law to lifetimes that have not been made into a sample. Anything that LifetimeSample::make() refuses is an error
/// too.
[[nodiscard]] Result<LawFit> fit_law(LawFamily family, std::span<const Lifetime> lives,
                                     const FitOptions& options = {});

/// One row of a comparison of laws.
struct LawComparison {
  LawFit fit;             ///< the fitted law
  double difference = 0;  ///< the law's AIC minus that of the best law
  double weight = 0;      ///< Akaike weight exp(-difference / 2), scaled to sum 1
};

/// A law that could not be fitted, and why.
struct LawRefusal {
  LawFamily family = LawFamily::exponential;  ///< the law's family
  Error error;                                ///< the reason, without a place
};

/// Laws compared on one sample.
struct LawTable {
  std::vector<LawComparison> rows;   ///< fitted laws, smallest AIC first
  std::vector<LawRefusal> refusals;  ///< laws that could not be fitted
};

/// Compares all laws (or those asked for) on one sample, best first. It is an error only if none can be fitted.
[[nodiscard]] Result<LawTable> compare_laws(const LifetimeSample& sample,
                                            const FitOptions& options = {},
                                            std::span<const LawFamily> families = {});

/// Returns the family of that name ("weibull"), or an error with a suggestion and an empty place.
[[nodiscard]] Result<LawFamily> law_family(std::string_view name);
/// Returns all families.
[[nodiscard]] std::span<const LawFamily> law_families();

/// Returns the probability that a lifetime of a fitted law exceeds an age.
/// @param age  seconds, >= 0
[[nodiscard]] double survival_of(const LawFit& fit, double age);

}  // namespace holdfast
