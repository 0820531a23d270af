#pragma once

#include "holdfast/models/failures/fit.hpp"
#include "holdfast/models/failures/fit_goodness.hpp"
#include "holdfast/models/failures/fit_rate.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// A law beside what was seen.
struct JudgedLaw {
  LawComparison law;
  GoodnessOfFit goodness;
  /// The mean is no longer than the longest life seen, or needs none so long (exponential law).
  bool is_mean_seen = true;
};

/// Why a law is the one to use.
enum class ChoiceReason : std::uint8_t {
  aic,    ///< least AIC, and the Kolmogorov-Smirnov test does not reject it
  test,   ///< the one of least AIC is rejected, this one is not
  mean,   ///< as good as the one of least AIC, whose mean lies beyond the longest life seen
  curve,  ///< all are rejected: nearest to the survival that was seen
  rate,   ///< ages are unknown for most of what was watched: only the rate is known
};

struct LawChoice {
  std::vector<JudgedLaw> laws;  ///< the one to use first, then by AIC
  std::vector<LawRefusal> refusals;
  ChoiceReason reason = ChoiceReason::aic;
  double longest = 0;        ///< longest life of known age, seconds
  double ageless_share = 0;  ///< part of the time watched whose age is unknown

  [[nodiscard]] const LawFit& best() const { return laws.front().law.fit; }
};

/// Fits laws (all, or those asked for) and chooses the one to use:
///
///   1. Where more than half of the time watched is of unknown age, the exponential law of the observed rate: a law of
///      ages would speak of the few units that have failed before.
///   2. Among the laws that the Kolmogorov-Smirnov test does not reject at 5 %, the least AIC. AIC within 2 says nothing:
///      there a law whose mean lies beyond the longest life seen gives way to one whose mean was seen.
///   3. Where all are rejected (thousands of lives condemn every law of two parameters), the law nearest to the survival
///      that was seen: AIC may sit at the far end of a curve that the law misses where failures are.
///
/// Ages are taken as what they are where times are rounded, intervals; the exponential law also takes the lives of
/// unknown age. Errors: none can be fitted.
[[nodiscard]] Result<LawChoice> choose_law(const WatchedLives& watched,
                                           const FitOptions& options = {},
                                           std::span<const LawFamily> families = {},
                                           std::uint64_t seed = 1);

/// Why the first law is used where AIC alone would take another; empty where they agree.
[[nodiscard]] std::string reason_in_words(const LawChoice& choice);
/// What the first law cannot know: a mean beyond the longest life seen, lives left out.
[[nodiscard]] std::vector<std::string> cautions(const LawChoice& choice);

}  // namespace holdfast
