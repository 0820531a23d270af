#include "holdfast/models/failures/fit_gamma_tail.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/gamma_function.hpp"

#include <array>
#include <cmath>

namespace holdfast {
namespace {

constexpr double kPrecision = 1e-16;
constexpr int kMostTerms = 100000;  // needed near u = k for shapes of 1e9

/// A number with its first two derivatives with respect to the shape.
struct ByShape {
  double value = 0;
  double first = 0;
  double second = 0;
};

/// Makes one step of the three-term recurrence of a continued fraction, X_n = b X_(n-1) + a X_(n-2), with derivatives: b' = -1,
/// a' = n, and second derivatives 0.
ByShape next_term(double b, double a, double n, const ByShape& before, const ByShape& earlier) {
  return {b * before.value + a * earlier.value,
          b * before.first - before.value + a * earlier.first + n * earlier.value,
          b * before.second - 2 * before.first + a * earlier.second + 2 * n * earlier.first};
}

ByShape scaled(const ByShape& jet, double factor) {
  return {jet.value * factor, jet.first * factor, jet.second * factor};
}

/// Returns the logarithm of a jet.
ByShape log_of(const ByShape& x) {
  const double slope = x.first / x.value;
  return {elementary::log(x.value), slope, x.second / x.value - slope * slope};
}

}  // namespace

GammaTailByShape::GammaTailByShape(double shape)
    : shape_{shape},
      log_gamma_{holdfast::log_gamma(shape)},
      digamma_{holdfast::digamma(shape)},
      trigamma_{holdfast::trigamma(shape)} {}

GammaTailValue GammaTailByShape::operator()(double log_u) const {
  const double u = elementary::exp(log_u);
  return u < shape_ + 2 ? from_below(log_u, u) : from_above(log_u, u);
}

/// P(k, u) = u^k e^-u / Gamma(k + 1) * sum of u^n / ((k + 1) ... (k + n)). Source: DLMF 8.11.4.
GammaTailValue GammaTailByShape::from_below(double log_u, double u) const {
  ByShape sum{1, 0, 0};
  double term = 1;
  double inverses = 0;  // minus the logarithmic derivative of the term with respect to k
  double squares = 0;
  for (int n = 1; n < kMostTerms; ++n) {
    const double inverse = 1 / (shape_ + n);
    term *= u * inverse;
    inverses += inverse;
    squares += inverse * inverse;
    const double second = term * (inverses * inverses + squares);
    sum.value += term;
    sum.first -= term * inverses;
    sum.second += second;
    if (term <= kPrecision * sum.value && second <= kPrecision * sum.second) break;
  }
  const ByShape log_sum = log_of(sum);
  const double inverse_shape = 1 / shape_;
  const double log_p = shape_ * log_u - u - log_gamma_ - elementary::log(shape_) + log_sum.value;
  const double slope = log_u - digamma_ - inverse_shape + log_sum.first;
  const double curvature = inverse_shape * inverse_shape - trigamma_ + log_sum.second;
  const double p = elementary::exp(log_p);
  const double odds = p / -elementary::expm1(log_p);
  GammaTailValue out;
  out.hazard = p < 0.5 ? -elementary::log1p(-p) : -elementary::log(-elementary::expm1(log_p));
  out.by_log_age = shape_ * odds / sum.value;
  out.by_shape = odds * slope;
  out.by_shape_twice = odds * (curvature + slope * slope) + out.by_shape * out.by_shape;
  return out;
}

/// Q(k, u) = u^k e^-u / Gamma(k) / (u + 1 - k - (1 - k) / (u + 3 - k - 2 (2 - k) / (u + 5 - k - ...))).
/// Source: DLMF 8.9.2 in its even form.
GammaTailValue GammaTailByShape::from_above(double log_u, double u) const {
  constexpr int kBetweenChecks = 4;
  constexpr double kLarge = 1e100;
  const double first_b = u + 1 - shape_;
  ByShape upper{first_b, -1, 0};
  ByShape upper_before{1, 0, 0};
  ByShape lower{1, 0, 0};
  ByShape lower_before{0, 0, 0};
  ByShape fraction = log_of(upper);            // of upper / lower
  const bool is_far = u > 1e9 * (1 + shape_);  // the next term is below 1e-18 of the first
  for (int n = 1; n < kMostTerms && !is_far; ++n) {
    const double b = first_b + 2 * n;
    const double a = -n * (n - shape_);
    const ByShape next_upper = next_term(b, a, n, upper, upper_before);
    const ByShape next_lower = next_term(b, a, n, lower, lower_before);
    upper_before = upper;
    lower_before = lower;
    upper = next_upper;
    lower = next_lower;
    if (n % kBetweenChecks != 0) continue;
    if (upper.value > kLarge) {
      upper = scaled(upper, 1 / kLarge);
      upper_before = scaled(upper_before, 1 / kLarge);
      lower = scaled(lower, 1 / kLarge);
      lower_before = scaled(lower_before, 1 / kLarge);
    }
    const ByShape log_upper = log_of(upper);
    const ByShape log_lower = log_of(lower);
    const ByShape now{log_upper.value - log_lower.value, log_upper.first - log_lower.first,
                      log_upper.second - log_lower.second};
    const bool is_settled =
        std::abs(now.value - fraction.value) < 4 * kPrecision * (1 + std::abs(now.value)) &&
        std::abs(now.first - fraction.first) < 1e-14 * (1 + std::abs(now.first)) &&
        std::abs(now.second - fraction.second) < 1e-13 * (1 + std::abs(now.second));
    fraction = now;
    if (is_settled) break;
  }
  const double log_power = shape_ * log_u - u - log_gamma_;
  GammaTailValue out;
  out.hazard = fraction.value - log_power;
  out.by_log_age = elementary::exp(fraction.value);
  out.by_shape = digamma_ - log_u + fraction.first;
  out.by_shape_twice = trigamma_ + fraction.second;
  return out;
}

}  // namespace holdfast
