#include "holdfast/math/gamma_tail.hpp"

#include "holdfast/math/boost_policy.hpp"
#include "holdfast/math/gamma_function.hpp"

#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace holdfast {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Returns true if the plain series and fraction converge in some tens of terms and lose no digits. For other shapes Boost has
// better expansions (and is three times slower).
bool is_plain(double shape) {
  return shape >= 0.05 && shape <= 20;
}

// Q(a, x) Gamma(a) e^x x^-a by Lentz's evaluation of Legendre's continued fraction.
double fraction(double shape, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - shape;
  double c = 1 / kTiny;
  double d = 1 / b;
  double value = d;
  for (int i = 1; i < 100000; ++i) {
    const double a = -i * (i - shape);
    b += 2;
    d = a * d + b;
    c = b + a / c;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    if (std::abs(c) < kTiny) c = kTiny;
    const double factor = d * c;
    value *= factor;
    if (std::abs(factor - 1) < kEpsilon) break;
  }
  return value;
}

GammaTail::Values from_lower_tail(double p, double density) {
  const double q = 1 - p;
  return {p < 0.5 ? -std::log1p(-p) : -std::log(q), density / q};
}

}  // namespace

GammaTail::GammaTail(double shape)
    : shape_{shape}, log_gamma_{log_gamma(shape)}, inverse_gamma_{std::exp(-log_gamma_)} {
  assert(shape > 0 && std::isfinite(shape));
  if (is_plain(shape)) inverse_gamma_ = 1 / std::tgamma(shape);
}

GammaTail::Values GammaTail::by_series(double x) const {
  // P = x^a e^-x / Gamma(a + 1) (1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + ...)
  double term = 1;
  double sum = 1;
  for (double n = shape_ + 1; term > sum * (kEpsilon / 4); n += 1) {
    term *= x / n;
    sum += term;
  }
  const double power = std::pow(x, shape_) * std::exp(-x) * inverse_gamma_;
  return from_lower_tail(power / shape_ * sum, power / x);
}

GammaTail::Values GammaTail::by_fraction(double x) const {
  const double g = fraction(shape_, x);
  return {x - shape_ * std::log(x) + log_gamma_ - std::log(g), 1 / (x * g)};
}

GammaTail::Values GammaTail::by_boost(double x) const {
  const BoostPolicy policy;
  const double density = boost::math::gamma_p_derivative(shape_, x, policy);
  const double p = boost::math::gamma_p(shape_, x, policy);
  if (p < 0.5) return from_lower_tail(p, density);
  const double q = boost::math::gamma_q(shape_, x, policy);
  if (q > 1e-280) return {-std::log(q), density / q};
  return by_fraction(x);
}

GammaTail::Values GammaTail::at(double x) const {
  assert(x > 0);
  if (!is_plain(shape_)) return by_boost(x);
  return x < shape_ + 1 ? by_series(x) : by_fraction(x);
}

double GammaTail::minus_log_q(double x) const {
  if (!(x > 0)) return x < 0 ? std::numeric_limits<double>::quiet_NaN() : x;
  if (std::isinf(x)) return x;
  return at(x).minus_log_q;
}

double GammaTail::inverse(double y) const {
  assert(y >= 0);
  if (!(y > 0)) return 0;
  const BoostPolicy policy;
  double x;
  if (y < std::numbers::ln2) {
    x = boost::math::gamma_p_inv(shape_, -std::expm1(-y), policy);
  } else if (y < 600) {
    x = boost::math::gamma_q_inv(shape_, std::exp(-y), policy);
  } else {
    x = std::max(shape_ + std::sqrt(2 * shape_ * y), y + (shape_ - 1) * std::log(y) - log_gamma_);
  }
  if (!(x > 1e-290)) return 0;
  // Newton's method: one step corrects the last digits; more are needed only far in the tail.
  for (int step = 0; step < 50; ++step) {
    const Values value = at(x);
    const double change = (value.minus_log_q - y) / value.hazard;
    const double next = std::clamp(x - change, 0.5 * x, 2 * x);
    const bool is_done = std::abs(next - x) <= 1e-12 * x;
    x = next;
    if (is_done) break;
  }
  return x;
}

}  // namespace holdfast
