#include "holdfast/math/student.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/gamma_function.hpp"
#include "holdfast/math/normal_tail.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace holdfast {
namespace {

// The continued fraction of the incomplete beta function I_x(a, b), by Lentz's method. It converges for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  double c = 1;
  double d = 1 / (1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    value *= d * c;
    if (std::abs(d * c - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return value;
}

struct Tail {
  double upper;    ///< P(T > t)
  double density;  ///< at t
};

// Gamma(a + 1/2) / Gamma(a); for large a by its series, because there the difference of the logarithms loses digits.
double gamma_step(double a) {
  const double n = 1 / a;
  if (a < 200) return elementary::exp(log_gamma(a + 0.5) - log_gamma(a));
  return std::sqrt(a) *
         (1 - n * (1.0 / 8 - n * (1.0 / 128 + n * (5.0 / 1024 - n * (21.0 / 32768)))));
}

// Student's law at t > 0.
Tail student_tail(double degrees, double t) {
  const double a = 0.5 * degrees;
  const double ratio = t * t / degrees;
  // (1 + t^2 / degrees)^-a
  const double power = elementary::exp(-a * elementary::log1p(ratio));
  const double scale = gamma_step(a) * std::numbers::inv_sqrtpi * power;
  const double density = scale / std::sqrt(degrees * (1 + ratio));
  // 2 P(T > t) = I_x(a, 1/2) with x = 1 / (1 + ratio), and I_x(a, b) = 1 - I_(1-x)(b, a).
  const double x = 1 / (1 + ratio);
  const double edge = scale * std::sqrt(ratio * x);  // x^a (1 - x)^(1/2) / B(a, 1/2)
  if (x < (a + 1) / (a + 2.5)) return {0.5 * edge * beta_fraction(a, 0.5, x) / a, density};
  return {0.5 - edge * beta_fraction(0.5, a, ratio * x), density};
}

}  // namespace

double student_quantile(double probability, double degrees) {
  assert(degrees > 0 && probability > 0 && probability < 1);
  const double tail = probability < 0.5 ? probability : 1 - probability;
  if (tail == 0.5) return 0;
  const double sign = probability < 0.5 ? -1 : 1;
  const double z = inverse_minus_log_normal_survival(-elementary::log(tail));
  // The expansion of Cornish and Fisher in 1 / degrees; Newton's method follows where it is not enough.
  const double square = z * z;
  const double n = 1 / degrees;
  double t = z * (1 + n * ((square + 1) / 4 +
                           n * ((square * (5 * square + 16) + 3) / 96 +
                                n * (square * (square * (3 * square + 19) + 17) - 15) / 384)));
  if (degrees > 1e4) return sign * t;
  for (int step = 0; step < 200; ++step) {
    const Tail at = student_tail(degrees, t);
    // The tail is a power of t where it is thin: between logarithms it is a line.
    const double change = tail < 0.2
                              ? elementary::log(at.upper / tail) * at.upper / (at.density * t)
                              : (at.upper - tail) / (at.density * t);
    t *= change < -0.5 ? 0.5 : 1 + (change > 4 ? 4 : change);
    if (std::abs(change) < 1e-13) break;
  }
  return sign * t;
}

}  // namespace holdfast
