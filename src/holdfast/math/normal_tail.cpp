#include "holdfast/math/normal_tail.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace holdfast {
namespace {

constexpr double kSqrt2 = std::numbers::sqrt2;
constexpr double kSqrtPi = 1 / std::numbers::inv_sqrtpi;
// From here on the asymptotic series has 16 digits; erfc does not underflow yet.
constexpr double kFarTail = 25;

// Returns erfc(x) e^(x^2) x sqrt(pi) - 1 for x >= kFarTail: -1/(2x^2) + 3/(4x^4) - 15/(8x^6) + ...
double far_correction(double x) {
  const double u = 1 / (2 * x * x);
  return -u * (1 - 3 * u * (1 - 5 * u * (1 - 7 * u * (1 - 9 * u * (1 - 11 * u)))));
}

}  // namespace

double minus_log_normal_survival(double z) {
  const double x = z / kSqrt2;
  if (x < 0) return -elementary::log1p(-0.5 * elementary::erfc(-x));
  if (x < kFarTail) return -elementary::log(0.5 * elementary::erfc(x));
  return x * x + elementary::log(2 * x * kSqrtPi) - elementary::log1p(far_correction(x));
}

double normal_hazard(double z) {
  const double x = z / kSqrt2;
  if (x < kFarTail) {
    return kSqrt2 * std::numbers::inv_sqrtpi * elementary::exp(-x * x) / elementary::erfc(x);
  }
  return z / (1 + far_correction(x));
}

double inverse_minus_log_normal_survival(double y) {
  assert(y > 0);
  // Three digits of the quantile of the smaller tail (Abramowitz and Stegun 26.2.23).
  const bool is_lower = y < std::numbers::ln2;
  const double t = std::sqrt(2 * (is_lower ? -elementary::log(-elementary::expm1(-y)) : y));
  const double size = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                              (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  double z = is_lower ? -size : size;
  if (y < 1e-290) return z;  // the density underflows there, so no step is possible
  for (int step = 0; step < 20; ++step) {
    const double change = (minus_log_normal_survival(z) - y) / normal_hazard(z);
    z -= change;
    if (std::abs(change) <= 1e-12 * std::max(1.0, std::abs(z))) break;
  }
  return z;
}

}  // namespace holdfast
