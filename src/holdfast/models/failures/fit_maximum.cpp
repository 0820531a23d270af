#include "holdfast/models/failures/fit_maximum.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace holdfast {
namespace {

constexpr int kMostSteps = 200;
constexpr double kWidestLogShape = 13.8;  // ln 1e6
constexpr double kSteepest = std::numeric_limits<double>::infinity();
constexpr double kSameLikelihood = 1e-6;

/// Newton's method stops at this value of half the squared distance to the maximum in standard errors. The next step, whose
/// error is about the square of the error of this one, is taken without a check.
constexpr double kSettled = 1e-10;

struct Step {
  double location = 0;
  double log_shape = 0;
  double gain = 0;  ///< the gain if the likelihood were quadratic
};

/// Returns Newton's step. The diagonal is raised by `damping` (relative), and further until the matrix is that of a maximum.
Step newton_step(const Curved& at, bool has_shape, double damping) {
  const double a = -at.ll;
  if (!has_shape) {
    const double curvature = std::max(a, 1e-3 * std::abs(a)) * (1 + damping);
    const double step = curvature > 0 ? at.l / curvature : at.l;
    return {step, 0, 0.5 * at.l * step};
  }
  const double c = -at.ss;
  const double b = -at.ls;
  const double scale = std::abs(a) + std::abs(c) + std::abs(b);
  // The smallest eigenvalue. Raising the diagonal by more than its negative part makes the matrix positive.
  const double least = 0.5 * (a + c) - elementary::hypot(0.5 * (a - c), b);
  const double raise = least > 1e-12 * scale ? 0 : 1e-3 * scale - least;
  const double d0 = (a + raise) * (1 + damping);
  const double d1 = (c + raise) * (1 + damping);
  const double determinant = d0 * d1 - b * b;
  const double location = (d1 * at.l - b * at.s) / determinant;
  const double log_shape = (d0 * at.s - b * at.l) / determinant;
  return {location, log_shape, 0.5 * (at.l * location + at.s * log_shape)};
}

/// Limits a step to the region in which the quadratic that suggested it is valid.
Step limited(Step step, double log_shape) {
  const double widest =
      2 + 2 * elementary::exp(-log_shape);  // about two standard deviations of ln(age)
  const double factor =
      std::min({1.0, 1.5 / std::abs(step.log_shape), widest / std::abs(step.location)});
  if (!(factor < 1)) return step;
  return {factor * step.location, factor * step.log_shape, step.gain};
}

/// Returns the ln of the shape whose ln(age) has the standard deviation of the observed failures.
double first_log_shape(LawFamily family, double spread) {
  const double sd = std::clamp(spread, 1e-4, 1e3);
  switch (family) {
    case LawFamily::exponential:
      return 0;
    case LawFamily::weibull:
      return elementary::log(1.2825 / sd);  // pi / sqrt 6
    case LawFamily::lognormal:
      return -elementary::log(sd);
    case LawFamily::gamma: {
      // trigamma(k) = sd^2; it is near 1/k^2 for small k, and 1/k for large k.
      const double v = sd * sd;
      return elementary::log((0.5 + std::sqrt(0.25 + v)) / v);
    }
  }
  return 0;
}

LawPoint first_guess(LawFamily family, const LifetimeSample& sample) {
  if (family == LawFamily::exponential && sample.exact() > 0 && sample.exposure() > 0) {
    // This is the maximum itself if there are no failures between inspections.
    return {elementary::log(sample.exposure() / static_cast<double>(sample.exact())), 0};
  }
  const double log_shape = first_log_shape(family, sample.spread());
  // Censored lives shift the location up, by about as much as for the exponential law.
  const double alive = static_cast<double>(sample.lives()) / static_cast<double>(sample.failures());
  const double middle = family == LawFamily::gamma ? sample.log_mean_age() : 0;
  return {middle + elementary::log(alive) * std::min(1.0, elementary::exp(-log_shape)), log_shape};
}

/// Returns false on a plateau, where the likelihood tends to its supremum without reaching it and its curvature vanishes.
bool is_maximum(LawFamily family, const Curved& at) {
  constexpr double kWidestVariance =
      400;  // two failures leave a variance of ln(shape) of about 0.6
  if (free_parameters(family) == 1) return at.ll < 0;
  const Covariance covariance = covariance_at(family, at);
  return covariance.ss > 0 && covariance.ll > 0 && covariance.ss < kWidestVariance;
}

bool is_out_of_range(const LawPoint& law) {
  return std::abs(law.log_shape) > kWidestLogShape;
}

/// Returns a law from which Newton's method can start. Failures close together suggest a narrow law, for which a distant
/// censored life gives a likelihood of exp(-exp(700)). The guess is widened as long as that helps.
std::optional<LikelihoodMaximum> start(LawFamily family, const LifetimeSample& sample) {
  LawPoint law = first_guess(family, sample);
  std::optional<LikelihoodMaximum> best;
  for (int widening = 0; widening < 40; ++widening) {
    const Curved at = log_likelihood(family, law, sample);
    const bool is_better = at.is_finite() && (!best || at.value > best->at.value);
    if (best && !is_better) break;
    if (is_better) best = LikelihoodMaximum{law, at};
    if (family == LawFamily::exponential) {
      if (best) break;
      law.location += 2;
    } else {
      law.log_shape -= 0.7;
    }
  }
  return best;
}

/// Climbs from a law by Newton's method; nothing if the way leads out of range or ends on a plateau.
std::optional<LikelihoodMaximum> climb(LawFamily family, const LifetimeSample& sample,
                                       std::optional<LikelihoodMaximum> found) {
  const bool has_shape = free_parameters(family) == 2;
  if (!found) return std::nullopt;
  double damping = 0;
  for (int i = 0; i < kMostSteps; ++i) {
    if (is_out_of_range(found->law)) return std::nullopt;
    const Step full = newton_step(found->at, has_shape, damping);
    const Step step = limited(full, found->law.log_shape);
    const LawPoint next{found->law.location + step.location, found->law.log_shape + step.log_shape};
    const Curved at = log_likelihood(family, next, sample);
    // Near the maximum the gain is below the rounding error of the sum, and the step is as good as its quadratic.
    const bool is_close = full.gain < 1e-6;
    if (at.is_finite() && (at.value > found->at.value || is_close)) {
      found->law = next;
      found->at = at;
      damping = damping < 1e-3 ? 0 : 0.1 * damping;
      if (full.gain < kSettled && damping == 0) {
        return is_maximum(family, at) ? found : std::nullopt;
      }
    } else {
      damping = std::max(4 * damping, 0.1);
      if (damping > 1e12) return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Shapes between which a likelihood with several maxima is searched, and the distance of its starts.
constexpr double kScanStep = 0.75;
/// A sample of more points has a likelihood of one maximum, and a scan of it would take long.
constexpr std::size_t kScannedPoints = 4096;

/// The best law for each of the shapes of a scan, from the narrowest law to the widest.
std::vector<LikelihoodMaximum> scan(LawFamily family, const LifetimeSample& sample) {
  std::vector<LikelihoodMaximum> out;
  const auto steps = static_cast<int>(kWidestLogShape / kScanStep);
  std::optional<LikelihoodMaximum> before;
  for (int i = steps; i >= -steps; --i) {
    const double log_shape = i * kScanStep;
    LawPoint guess = first_guess(family, sample);
    std::optional<LikelihoodMaximum> best;
    // Where half of the lives end, for laws of this shape; and from where the last shape was best.
    const double middle = family == LawFamily::gamma ? 0.6 * elementary::exp(-log_shape) : 0;
    for (const double location :
         {guess.location + middle, guess.location, before ? before->law.location : 0.0}) {
      auto found = best_location(family, sample, {location, log_shape});
      if (found && (!best || found->at.value > best->at.value)) best = found;
    }
    if (best) out.push_back(*best);
    before = best;
  }
  return out;
}

}  // namespace

std::optional<LikelihoodMaximum> best_location(LawFamily family, const LifetimeSample& sample,
                                               const LawPoint& from) {
  LikelihoodMaximum found{from, log_likelihood(family, from, sample)};
  double widest = 2 + 2 * elementary::exp(-from.log_shape);  // and more where the way is long
  double damping = 1;
  for (int i = 0; i < kMostSteps && found.at.is_finite(); ++i) {
    const double newton = found.at.ll < 0 ? -found.at.l / found.at.ll : found.at.l * kSteepest;
    const double step = damping * std::clamp(newton, -widest, widest);
    if (!(std::abs(step) > 1e-15 * (1 + std::abs(found.law.location)))) return found;
    const LawPoint next{found.law.location + step, from.log_shape};
    const Curved at = log_likelihood(family, next, sample);
    const double gain = 0.5 * std::abs(found.at.l * step);
    if (at.is_finite() && (at.value > found.at.value || gain < 1e-6)) {
      found.law = next;
      found.at = at;
      if (gain < kSettled && damping == 1) return found;
      if (std::abs(newton) > widest && damping == 1) widest *= 2;
      damping = 1;
    } else {
      damping *= 0.25;
    }
  }
  return found.at.is_finite() ? std::optional(found) : std::nullopt;
}

MaximumSearch find_maximum(LawFamily family, const LifetimeSample& sample) {
  MaximumSearch out{.maximum = climb(family, sample, start(family, sample))};
  const bool is_regular = sample.intervals().empty() && sample.truncated() == 0;
  const std::size_t points = sample.intervals().size() + sample.survived_ages().size();
  if (free_parameters(family) == 1 || (out.maximum && (is_regular || points > kScannedPoints)))
    return out;
  const std::vector<LikelihoodMaximum> scanned = scan(family, sample);
  const auto value = [&](std::size_t i) { return scanned[i].at.value; };
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const bool is_peak = (i == 0 || value(i) >= value(i - 1)) &&
                         (i + 1 == scanned.size() || value(i) >= value(i + 1));
    if (!is_peak) continue;
    auto found = climb(family, sample, scanned[i]);
    if (found && (!out.maximum || found->at.value > out.maximum->at.value)) out.maximum = found;
  }
  // The likelihood may be higher still towards a border, and then has no maximum.
  const auto highest = std::ranges::max_element(
      scanned, {}, [](const LikelihoodMaximum& law) { return law.at.value; });
  if (highest == scanned.end() ||
      (out.maximum && highest->at.value <= out.maximum->at.value + kSameLikelihood))
    return out;
  return {.maximum = {}, .border = highest->law.log_shape > 0 ? Border::one_age : Border::all_ages};
}

Covariance covariance_at(LawFamily family, const Curved& maximum) {
  if (free_parameters(family) == 1) return {-1 / maximum.ll, 0, 0};
  const double determinant = maximum.ll * maximum.ss - maximum.ls * maximum.ls;
  return {-maximum.ss / determinant, maximum.ls / determinant, -maximum.ll / determinant};
}

}  // namespace holdfast
