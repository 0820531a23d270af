#include "holdfast/math/gamma_tail.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/gamma_function.hpp"
#include "holdfast/math/incomplete_gamma.hpp"
#include "holdfast/math/normal_tail.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace holdfast {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Returns true if the series and the fraction need no more than a power, an exponential and Gamma itself.
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
  for (int i = 1; i < 1000000; ++i) {
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
  return {p < 0.5 ? -elementary::log1p(-p) : -elementary::log(q), density / q};
}

// 1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + ..., which is P Gamma(a + 1) e^x x^-a.
double series(double shape, double x) {
  double term = 1;
  double sum = 1;
  for (double n = shape + 1; term > sum * (kEpsilon / 4); n += 1) {
    term *= x / n;
    sum += term;
  }
  return sum;
}

// ln(x / a) - (x - a) / a without cancellation: with m = (x - a) / a and y = m / (2 + m) it is 2 (y^3 / 3 + y^5 / 5 + ...) - m y.
double log_less(double a, double x) {
  const double m = (x - a) / a;
  if (std::abs(m) > 0.4) return elementary::log(x / a) - m;
  const double y = m / (2 + m);
  double sum = 0;
  for (int n = 35; n >= 3; n -= 2) sum = sum * y * y + 1.0 / n;
  return 2 * y * y * y * sum - m * y;
}

// B_2k / (2k (2k - 1)): ln Gamma(a) less Stirling's formula, for large a.
double stirling_rest(double a) {
  const double s = 1 / (a * a);
  return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / a;
}

// x^a e^-x / Gamma(a)
double gamma_power(double a, double x) {
  if (a >= 20) {
    return std::sqrt(a / (2 * std::numbers::pi)) *
           elementary::exp(a * log_less(a, x) - stirling_rest(a));
  }
  if (a < 1e-300) return a * elementary::exp(-x);
  const double power = a * elementary::log(x);
  if (power < -600 || x > 600) return elementary::exp(power - x - log_gamma(a));
  return elementary::pow(x, a) * elementary::exp(-x) / elementary::tgamma(a);
}

// Gamma(a, x) for a < 1 and small x: (Gamma(1 + a) - x^a) / a - x^a (-x / (1! (a + 1)) + x^2 / (2! (a + 2)) - ...)
double upper_of_small_shape(double a, double x) {
  const double log_x = elementary::log(x);
  double sum = 0;
  double term = 1;
  for (int n = 1; n < 60; ++n) {
    term *= -x / n;
    sum += term / (a + n);
  }
  const double gamma_less_one = elementary::expm1(elementary::lgamma1p(a));
  return (gamma_less_one - elementary::expm1(a * log_x)) / a - elementary::exp(a * log_x) * sum;
}

// Temme's uniform expansion: Q = erfc(eta sqrt(a / 2)) / 2 + e^(-a eta^2 / 2) / sqrt(2 pi a) (c0 + c1 / a), here for a > 10^6,
// where x is so near to a that few terms of c0 and c1 in eta are enough.
IncompleteGamma of_large_shape(double a, double x) {
  const double half_square = -log_less(a, x);  // eta^2 / 2
  const double eta = std::copysign(std::sqrt(2 * half_square), x - a);
  const double c0 =
      -1.0 / 3 +
      eta * (1.0 / 12 +
             eta * (-2.0 / 135 + eta * (1.0 / 864 + eta * (1.0 / 2835 - eta * (139.0 / 777600)))));
  const double c1 = -1.0 / 540 + eta * (-1.0 / 288 + eta * (1.0 / 378));
  const double rest =
      elementary::exp(-a * half_square) / std::sqrt(2 * std::numbers::pi * a) * (c0 + c1 / a);
  const double z = eta * std::sqrt(0.5 * a);
  return {0.5 * elementary::erfc(-z) - rest, 0.5 * elementary::erfc(z) + rest};
}

}  // namespace

IncompleteGamma incomplete_gamma(double a, double x) {
  if (std::isinf(x)) return {1, 0};
  if (a > 1e6) return of_large_shape(a, x);
  const double power = gamma_power(a, x);
  if (x >= a + 1) {
    const double q = power * fraction(a, x);
    return {1 - q, q};
  }
  const double p = power / a * series(a, x);
  if (p < 0.5 || a >= 1) return {p, 1 - p};
  const double q = upper_of_small_shape(a, x) / elementary::tgamma(a);
  return {1 - q, q};
}

GammaTail::GammaTail(double shape)
    : shape_{shape}, log_gamma_{log_gamma(shape)}, inverse_gamma_{elementary::exp(-log_gamma_)} {
  assert(shape > 0 && std::isfinite(shape));
  if (is_plain(shape)) inverse_gamma_ = 1 / elementary::tgamma(shape);
}

GammaTail::Values GammaTail::by_series(double x) const {
  const double power = elementary::pow(x, shape_) * elementary::exp(-x) * inverse_gamma_;
  return from_lower_tail(power / shape_ * series(shape_, x), power / x);
}

GammaTail::Values GammaTail::by_fraction(double x) const {
  const double g = fraction(shape_, x);
  return {x - shape_ * elementary::log(x) + log_gamma_ - elementary::log(g), 1 / (x * g)};
}

GammaTail::Values GammaTail::by_tails(double x) const {
  const double density = gamma_power(shape_, x) / x;
  const auto [p, q] = incomplete_gamma(shape_, x);
  if (p < 0.5) return from_lower_tail(p, density);
  if (q > 1e-280) return {-elementary::log(q), density / q};
  return by_fraction(x);
}

GammaTail::Values GammaTail::at(double x) const {
  assert(x > 0);
  if (!is_plain(shape_)) return by_tails(x);
  return x < shape_ + 1 ? by_series(x) : by_fraction(x);
}

double GammaTail::minus_log_q(double x) const {
  if (!(x > 0)) return x < 0 ? std::numeric_limits<double>::quiet_NaN() : x;
  if (std::isinf(x)) return x;
  return at(x).minus_log_q;
}

// Where the cumulative hazard is about y.
double GammaTail::near_inverse(double y) const {
  // P is near x^a / Gamma(a + 1) for small x, and the hazard is near 1 for large ones; between them the cube root of x is near normal.
  const double p = -elementary::expm1(-y);
  const double low =
      elementary::exp((elementary::log(p) + elementary::lgamma(shape_ + 1)) / shape_);
  if (low < 0.1 * (shape_ + 1) || shape_ < 0.5) {
    return y > 1 && low > 1 ? std::max(y + (shape_ - 1) * elementary::log(y) - log_gamma_, 0.1)
                            : low;
  }
  if (y > 600 && y > shape_) return y + (shape_ - 1) * elementary::log(y) - log_gamma_;
  const double root = 1 / (3 * std::sqrt(shape_));
  const double cube = 1 - root * root + inverse_minus_log_normal_survival(y) * root;
  return cube > 0.1 ? shape_ * cube * cube * cube : low;
}

double GammaTail::inverse(double y) const {
  assert(y >= 0);
  if (!(y > 0)) return 0;
  double x = near_inverse(y);
  if (!(x > 1e-290)) return 0;
  // Newton's method between the logarithms: for small x it is a line of slope a, for large x one of slope 1. It doubles the digits.
  for (int step = 0; step < 100; ++step) {
    const Values value = at(x);
    const double change = value.minus_log_q > 0 ? elementary::log(y / value.minus_log_q) *
                                                      value.minus_log_q / (value.hazard * x)
                                                : 1;
    x *= elementary::exp(std::clamp(change, -2.0, 2.0));
    if (std::abs(change) <= 1e-9) break;
  }
  return x;
}

}  // namespace holdfast
