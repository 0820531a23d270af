#include "holdfast/base/double_double.hpp"
#include "holdfast/base/elementary.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace holdfast::elementary {
namespace {

constexpr double kWithoutBound = std::numeric_limits<double>::infinity();
// Gamma is computed by Stirling's series from here on.
constexpr double kStirling = 10;
constexpr Pair kHalfLogTwoPi{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};

// Interpolants in t from -1 to 1 (tools/make_elementary): (x + 3/8) e^(x^2) erfc(x) with x = 6.5 / (1 - t) - 2.5;
// Gamma((5 + t) / 2); ln Gamma(x) / ((x - 1) (x - 2)) with x = (7 + 3 t) / 4.
constexpr std::array<double, 24> kErfc = {
    0x1.32e0f80f1b674p-1,  -0x1.f23a9a8994344p-6, -0x1.31f42a4422de6p-6,  0x1.7e70597191901p-6,
    -0x1.abbce558d7b89p-7, 0x1.14896ccbf227fp-8,  -0x1.f242a7ae76102p-12, -0x1.caadf1abc4ecdp-13,
    0x1.6a5874c7d5b33p-14, 0x1.317082927e886p-17, -0x1.5975b85841b98p-17, -0x1.cbde08d054528p-22,
    0x1.5ab6c76deef06p-20, 0x1.27732956a1336p-24, -0x1.7b58cd52ec53ap-23, -0x1.8193c88f6dccap-26,
    0x1.a916dca19b00cp-26, 0x1.c079350e6cfa5p-28, -0x1.b4474430350a5p-29, -0x1.a808214dd0d8bp-30,
    0x1.581e7891963d2p-32, 0x1.27d2287e4f14cp-32, -0x1.241a819c7ba11p-36, -0x1.c0ac82c8c5f4ap-36};
constexpr std::array<double, 20> kGamma = {
    0x1.544fa6d47b390p+0,  0x1.de9585f1a7093p-2,   0x1.4f224d4b7e01cp-3,  0x1.03f6d2fa4f4f9p-5,
    0x1.c138b89492c0dp-8,  0x1.d0a9bc4935330p-11,  0x1.5489cc6bb1575p-13, 0x1.a55ed20e5fd1ep-17,
    0x1.8b8fcd9f77986p-19, 0x1.08875ea254e2ep-27,  0x1.013c94c9fd96bp-24, -0x1.ad8d70ab833ecp-28,
    0x1.e6c9b3dd3045ep-30, -0x1.579ecb35007adp-32, 0x1.22c2e9942136dp-34, -0x1.c925c80482952p-37,
    0x1.690e969d88663p-39, -0x1.206d1097efba9p-41, 0x1.20e3cd8537396p-43, -0x1.ce54a9bd97599p-46};
constexpr std::array<double, 28> kLogGamma = {
    0x1.ccf151e09cde8p-2,   -0x1.6f0c24a45af52p-4,  0x1.9a4ce9b9f3c25p-6,  -0x1.0766e3c5f994fp-7,
    0x1.6bf940188d397p-9,   -0x1.06e730866ef0bp-10, 0x1.8713b0b1d50b3p-12, -0x1.28e3fffeebc28p-13,
    0x1.c99bdd1035184p-15,  -0x1.64bd1610589cap-16, 0x1.18a201bbde169p-17, -0x1.bcc6e3935aebfp-19,
    0x1.629c85c8c0a7dp-20,  -0x1.1c2e3d713275fp-21, 0x1.c98c06b377d62p-23, -0x1.71b41dd99a1f6p-24,
    0x1.2b23c13a7ba5bp-25,  -0x1.e6798f696d3e4p-27, 0x1.94cc9774a9d01p-28, -0x1.4af33b052ea7dp-29,
    0x1.cf24480c446fbp-31,  -0x1.7b562b8cb91afp-32, 0x1.1f44402d47e7dp-32, -0x1.daf19024804e2p-34,
    -0x1.663df9ea3e605p-36, 0x1.2cae55fa335e2p-37,  0x1.2f239c25edb09p-36, -0x1.f7813e61688aep-38};

// 2 / sqrt(pi) (-1)^n / (n! (2n + 1)): erf(x) = x (c0 + c1 x^2 + ...)
constexpr std::array<double, 16> erf_series() {
  std::array<double, 16> out{};
  double factor = 2 * std::numbers::inv_sqrtpi;
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n] = factor / static_cast<double>(2 * n + 1);
    factor /= -static_cast<double>(n + 1);
  }
  return out;
}
constexpr auto kErf = erf_series();

// B_2k / (2k (2k - 1)), k from 1
constexpr std::array<double, 8> kStirlingSeries = {1.0 / 12,    -1.0 / 360,      1.0 / 1260,
                                                   -1.0 / 1680, 1.0 / 1188,      -691.0 / 360360,
                                                   1.0 / 156,   -3617.0 / 122400};

Pair quotient(double a, Pair b) {
  const double first = a / b.high;
  const Pair back = exact_product(first, b.high);
  return {first, ((a - back.high) - (back.low + first * b.low)) / b.high};
}

// erfc for x >= 3/4
double erfc_tail(double x) {
  if (x > 28) return 0;
  const Pair square = exact_product(x, x);
  const Scaled power = exp_scaled({-square.high, -square.low});
  const Pair rest = quotient(polynomial_by_four(kErfc, 1 - 6.5 / (x + 2.5)), fast_sum(x, 0.375));
  return scaled({power.value * rest, power.exponent});
}

// ln Gamma(x) for kStirling <= x < 10^17
Pair stirling(double x) {
  const Pair sum = (log_pair(x) * Pair{x - 0.5, 0} + Pair{-x, 0}) + kHalfLogTwoPi;
  const double inverse = 1 / x;
  return fast_sum(sum.high, sum.low + inverse * polynomial(kStirlingSeries, inverse * inverse));
}

// Gamma(x) for 2^-60 <= x <= 200
Scaled gamma_of_positive(double x) {
  if (x >= kStirling) return exp_scaled(stirling(x));
  const double whole = std::floor(x);
  const double base = x == whole ? 1 : polynomial_by_four(kGamma, 2 * (x - whole) - 1);
  if (x < 1) return {quotient(base, Pair{x, 0} * exact_sum(1, x)), 0};
  if (x < 2) return {{base / x, 0}, 0};
  Pair product{base, 0};
  for (int i = 1; x - i >= 2; ++i) product = product * Pair{x - i, 0};
  return {product, 0};
}

double log_gamma_of_positive(double x) {
  if (x > 0x1p60) return x * (log(x) - 1);
  if (x >= kStirling) return stirling(x).high;
  if (x > 2.5) return log(gamma_of_positive(x).value.high);
  return x < 1 ? lgamma1p(x) - log(x) : lgamma1p(x - 1);
}

}  // namespace

double erf(double x) {
  if (std::isnan(x)) return x;
  if (std::abs(x) < 0.75) return x * polynomial_by_four(kErf, x * x);
  return std::copysign(1 - erfc_tail(std::abs(x)), x);
}

double erfc(double x) {
  if (std::isnan(x)) return x;
  if (std::abs(x) < 0.75) return 1 - x * polynomial_by_four(kErf, x * x);
  return x > 0 ? erfc_tail(x) : 2 - erfc_tail(-x);
}

double lgamma(double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return kWithoutBound;
  if (x > 0) return log_gamma_of_positive(x);
  if (x == std::trunc(x)) return kWithoutBound;
  if (x > -0x1p-60) return -log(-x);
  if (x > -kStirling) return log(std::abs(tgamma(x)));
  // Gamma(x) Gamma(-x) = -pi / (x sin(pi x))
  return log(std::numbers::pi / std::abs(x * sin_pi(x))) - log_gamma_of_positive(-x);
}

double lgamma1p(double x) {
  return 0 - x * ((1 - x) * polynomial_by_four(kLogGamma, (x - 0.75) * (4.0 / 3)));
}

double tgamma(double x) {
  if (std::isnan(x) || x == kWithoutBound) return x;
  if (std::abs(x) < 0x1p-60) return 1 / x;
  if (x < 0 && x == std::trunc(x)) return std::numeric_limits<double>::quiet_NaN();
  if (x > 172) return kWithoutBound;
  if (x > 0) return scaled(gamma_of_positive(x));
  const double sine = sin_pi(x);
  if (x < -190) return std::copysign(0.0, sine);
  const Scaled other = gamma_of_positive(-x);
  const Pair out = quotient(-std::numbers::pi, exact_product(x, sine) * other.value);
  return std::ldexp(out.high + out.low, -other.exponent);
}

}  // namespace holdfast::elementary
