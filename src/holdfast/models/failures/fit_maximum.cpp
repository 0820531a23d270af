#include "holdfast/models/failures/fit_maximum.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr int kMostSteps = 200;
constexpr double kWidestLogShape = 13.8;  // ln 1e6

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
    if (is_better) best = LikelihoodMaximum{law, at, widening + 1};
    if (family == LawFamily::exponential) {
      if (best) break;
      law.location += 2;
    } else {
      law.log_shape -= 0.7;
    }
  }
  return best;
}

}  // namespace

std::optional<LikelihoodMaximum> find_maximum(LawFamily family, const LifetimeSample& sample) {
  const bool has_shape = free_parameters(family) == 2;
  auto found = start(family, sample);
  if (!found) return std::nullopt;
  double damping = 0;
  for (int i = 0; i < kMostSteps; ++i) {
    if (is_out_of_range(found->law)) return std::nullopt;
    const Step full = newton_step(found->at, has_shape, damping);
    const Step step = limited(full, found->law.log_shape);
    const LawPoint next{found->law.location + step.location, found->law.log_shape + step.log_shape};
    const Curved at = log_likelihood(family, next, sample);
    ++found->evaluations;
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

Covariance covariance_at(LawFamily family, const Curved& maximum) {
  if (free_parameters(family) == 1) return {-1 / maximum.ll, 0, 0};
  const double determinant = maximum.ll * maximum.ss - maximum.ls * maximum.ls;
  return {-maximum.ss / determinant, maximum.ls / determinant, -maximum.ll / determinant};
}

double ProfiledQuantity::at(const LawPoint& law) const {
  if (is_shape) return law.log_shape;
  return law.location + (offset == nullptr ? 0 : offset(law.log_shape).value);
}

double ProfiledQuantity::slope(double log_shape) const {
  return offset == nullptr ? 0 : offset(log_shape).s;
}

namespace {

/// The likelihood along the line of laws that share the value of a quantity, maximised over the other parameter.
class Profile {
 public:
  Profile(LawFamily family, const LifetimeSample& sample, const ProfiledQuantity& quantity,
          const LawPoint& start)
      : family_{family}, sample_{sample}, quantity_{quantity}, law_{start} {}

  struct Point {
    double log_likelihood = 0;
    double slope = 0;  ///< derivative with respect to the quantity
    bool is_found = false;
  };

  /// Returns the point at a value of the quantity. It starts from the law found for the previous value.
  Point at(double value) {
    if (free_parameters(family_) == 1) {
      const Curved at = log_likelihood(family_, {value, 0}, sample_);
      return {at.value, at.l, at.is_finite()};
    }
    double free = quantity_.is_shape ? law_.location : law_.log_shape;
    Curved now = log_likelihood(family_, law_at(value, free), sample_);
    double damping = 1;
    for (int i = 0; i < kMostSteps; ++i) {
      if (!now.is_finite()) return {};
      const auto [slope, curvature] = along(now, free);
      const double step =
          damping * std::clamp(curvature < 0 ? -slope / curvature : slope, -1.0, 1.0);
      const double gain = 0.5 * std::abs(slope * step);
      const double next = free + step;
      const Curved then = log_likelihood(family_, law_at(value, next), sample_);
      if (then.is_finite() && (then.value >= now.value || gain < 1e-6)) {
        free = next;
        now = then;
        damping = 1;
        if (gain < kSettled) {
          law_ = law_at(value, free);
          return {now.value, quantity_.is_shape ? now.s : now.l, true};
        }
      } else {
        damping *= 0.25;
        if (damping < 1e-12) return {};
      }
    }
    return {};
  }

 private:
  [[nodiscard]] LawPoint law_at(double value, double free) const {
    if (quantity_.is_shape) return {free, value};
    const double offset = quantity_.offset == nullptr ? 0 : quantity_.offset(free).value;
    return {value - offset, free};
  }
  /// Returns the first and second derivative along the line.
  [[nodiscard]] std::pair<double, double> along(const Curved& at, double free) const {
    if (quantity_.is_shape) return {at.l, at.ll};
    if (quantity_.offset == nullptr) return {at.s, at.ss};
    const Curved m = quantity_.offset(free);
    return {at.s - m.s * at.l, at.ss - 2 * m.s * at.ls + m.s * m.s * at.ll - m.ss * at.l};
  }

  LawFamily family_;
  const LifetimeSample& sample_;
  const ProfiledQuantity& quantity_;
  LawPoint law_;
};

}  // namespace

double profile_bound(LawFamily family, const LifetimeSample& sample,
                     const LikelihoodMaximum& maximum, const ProfiledQuantity& quantity,
                     double drop, int side) {
  constexpr double kFarthest = 60;
  const double best = quantity.at(maximum.law);
  const Covariance covariance = covariance_at(family, maximum.at);
  const double variance =
      quantity.is_shape ? covariance.ss : covariance.of(1, quantity.slope(maximum.law.log_shape));
  const double target = std::sqrt(2 * drop);
  // The signed root of twice the drop is nearly linear in the quantity, so Newton's method is applied to it, kept in a bracket.
  Profile profile{family, sample, quantity, maximum.law};
  double near = 0;
  double far = std::numeric_limits<double>::infinity();
  double distance = target * std::sqrt(variance);
  if (!(distance > 0) || !std::isfinite(distance)) distance = 1;
  for (int i = 0; i < 100; ++i) {
    if (distance > kFarthest) return side * std::numeric_limits<double>::infinity();
    const auto point = profile.at(best + side * distance);
    const double root = std::sqrt(std::max(0.0, 2 * (maximum.at.value - point.log_likelihood)));
    if (!point.is_found) {
      far = distance;
    } else if (std::abs(root - target) < 1e-9 * target) {
      return best + side * distance;
    } else {
      (root < target ? near : far) = distance;
    }
    const double slope = point.is_found && root > 0 ? -side * point.slope / root : 0;
    double next =
        slope > 0 ? distance + (target - root) / slope : std::numeric_limits<double>::infinity();
    next = std::min(next, 3 * distance);
    if (!(next > near && next < far)) next = std::isinf(far) ? 2 * distance : 0.5 * (near + far);
    if (std::abs(next - distance) < 1e-12 * (1e-3 + distance)) return best + side * next;
    distance = next;
  }
  return best + side * distance;
}

}  // namespace holdfast
