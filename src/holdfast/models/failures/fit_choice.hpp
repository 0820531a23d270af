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
  LawComparison law;
  GoodnessOfFit goodness;
  /// True if the mean is no longer than the longest observed life, or needs none so long (exponential law).
  bool is_mean_seen = true;
};

/// The reason why a law is the one to use.
enum class ChoiceReason : std::uint8_t {
  aic,   ///< it has the least AIC, and the Kolmogorov-Smirnov test does not reject it
  test,  ///< the law of least AIC is rejected, and this one is not
  mean,  ///< the law of least AIC has a mean beyond the longest observed life, and this one is as good
  curve,  ///< all are rejected, and this one is nearest to the observed survival
  rate,   ///< ages are unknown for most of the time observed, so only the rate is known
};

/// The laws that were tried, and which of them to use.
struct LawChoice {
  std::vector<JudgedLaw> laws;  ///< laws in order of AIC, after the one to use
  std::vector<LawRefusal> refusals;
  ChoiceReason reason = ChoiceReason::aic;
  double longest = 0;        ///< longest life of known age, seconds
  double ageless_share = 0;  ///< share of the observed time whose age is unknown

  /// Returns the fit of the law to use.
  [[nodiscard]] const LawFit& best() const { return laws.front().law.fit; }
};

/// Fits laws (all, or those asked for) and chooses the one to use:
///
///   1. If more than half of the observed time is of unknown age, the exponential law of the observed rate: a law of ages
///      would describe only the few units that have failed before.
///   2. Among the laws that the Kolmogorov-Smirnov test does not reject at 5 %, the least AIC. AIC within 2 says nothing:
///      there a law whose mean lies beyond the longest observed life gives way to one whose mean was observed.
///   3. If all are rejected (thousands of lives reject every law of two parameters), the law nearest to the observed
///      survival: AIC may favour the far end of a curve that the law misses where failures are.
///
/// Where times are rounded, ages are taken as intervals; the exponential law also takes the lives of unknown age. It is an
/// error if no law can be fitted.
[[nodiscard]] Result<LawChoice> choose_law(const WatchedLives& watched,
                                           const FitOptions& options = {},
                                           std::span<const LawFamily> families = {},
                                           std::uint64_t seed = 1);

/// Returns why the first law is used if AIC alone would take another; empty if they agree.
[[nodiscard]] std::string reason_in_words(const LawChoice& choice);
/// Returns what the first law cannot know: a mean beyond the longest observed life, lives that are left out.
[[nodiscard]] std::vector<std::string> cautions(const LawChoice& choice);

}  // namespace holdfast
