#pragma once

#include "holdfast/models/failures/fit.hpp"
#include "holdfast/models/failures/fit_goodness.hpp"
#include "holdfast/models/failures/fit_rate.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// A fitted law, and how well it agrees with the observed lifetimes.
struct JudgedLaw {
  LawComparison law;       ///< the fitted law and its AIC
  GoodnessOfFit goodness;  ///< the distance of the law from the observed lifetimes
  /// True if the mean is no longer than the longest observed life, or if it does not matter (exponential law).
  bool is_mean_seen = true;
};

/// The reason why a law is the one to use.
enum class ChoiceReason : std::uint8_t {
  aic,   ///< it has the lowest AIC, and the Kolmogorov-Smirnov test does not reject it
  test,  ///< the law with the lowest AIC is rejected, and this one is not
  /// The law with the lowest AIC has a mean beyond the longest observed life, and this one is as good.
  mean,
  curve,   ///< all laws are rejected, and this one is nearest to the observed survival
  rate,    ///< ages are unknown for most of the time observed, so only the rate is known
  no_age,  ///< no unit failed whose age is known, so only the rate is known
};

/// The laws that were tried, and the one to use.
struct LawChoice {
  std::vector<JudgedLaw> laws;              ///< the law to use, then the others in order of AIC
  std::vector<LawRefusal> refusals;         ///< laws that could not be fitted
  ChoiceReason reason = ChoiceReason::aic;  ///< the reason for the first of `laws`
  double longest = 0;                       ///< longest life of known age, seconds
  double ageless_share = 0;  ///< share of the observed time for which the age is unknown
  double resolution = 0;  ///< ages were taken as plus or minus half of this, seconds; 0: as exact

  /// Returns the fit of the law to use.
  [[nodiscard]] const LawFit& best() const { return laws.front().law.fit; }
};

/// Fits laws (all, or those asked for) and chooses the one to use:
///
///   1. If the age is unknown for more than half of the observed time, the exponential law with the observed rate:
///      a law that depends on age would describe only the few units that have failed before. The same holds if no unit
///      failed whose age is known, as in a small log in which no node failed twice.
///   2. Otherwise, among the laws that the Kolmogorov-Smirnov test does not reject at 5 %, the one with the lowest AIC.
///      A difference of less than 2 in AIC means nothing; then a law whose mean lies beyond the longest observed life
///      gives way to one whose mean was observed.
///   3. If all laws are rejected (thousands of lives reject every law with two parameters), the law nearest to the
///      observed survival: AIC may favour a law that fits the far end of the curve and misses it where most failures are.
///
/// A law whose AIC is more than 100 above the least is never chosen: no distance outweighs a likelihood of e^-50. If times are
/// rounded, ages are treated as intervals. The exponential law also uses the lives of unknown age. It is an error if no law
/// can be fitted. Nothing is random.
[[nodiscard]] Result<LawChoice> choose_law(const WatchedLives& watched,
                                           const FitOptions& options = {},
                                           std::span<const LawFamily> families = {});

/// Returns the lives of known age, or all lives if none of them failed.
[[nodiscard]] std::vector<Lifetime> lives_with_failures(const WatchedLives& watched);

/// Returns the reason for the first law if AIC alone would choose another; empty if they agree.
[[nodiscard]] std::string reason_in_words(const LawChoice& choice);
/// Returns "whole days: taken as plus or minus 12 h"; empty below a minute.
[[nodiscard]] std::string rounding_in_words(double resolution);
/// Returns the limits of the first law: a mean beyond the longest observed life, lives that were left out.
[[nodiscard]] std::vector<std::string> cautions(const LawChoice& choice);

}  // namespace holdfast
