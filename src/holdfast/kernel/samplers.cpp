#include "holdfast/kernel/samplers.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/incomplete_gamma.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace holdfast {
namespace {

/// Returns a numerator or denominator of AS 241; coefficients start with the constant term.
double polynomial(const std::array<double, 8>& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// AS 241: |probability - 1/2| <= 0.425.
constexpr std::array<double, 8> kCentreTop = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                              1.9715909503065514427e3, 1.3731693765509461125e4,
                                              4.5921953931549871457e4, 6.7265770927008700853e4,
                                              3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr std::array<double, 8> kCentreBottom = {1.0,
                                                 4.2313330701600911252e1,
                                                 6.8718700749205790830e2,
                                                 5.3941960214247511077e3,
                                                 2.1213794301586595867e4,
                                                 3.9307895800092710610e4,
                                                 2.8729085735721942674e4,
                                                 5.2264952788528545610e3};
// sqrt(-ln of the tail) <= 5.
constexpr std::array<double, 8> kNearTop = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                            5.76949722146069140550e0,  3.64784832476320460504e0,
                                            1.27045825245236838258e0,  2.41780725177450611770e-1,
                                            2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kNearBottom = {1.0,
                                               2.05319162663775882187e0,
                                               1.67638483018380384940e0,
                                               6.89767334985100004550e-1,
                                               1.48103976427480074590e-1,
                                               1.51986665636164571966e-2,
                                               5.47593808499534494600e-4,
                                               1.05075007164441684324e-9};
// sqrt(-ln of the tail) > 5.
constexpr std::array<double, 8> kFarTop = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                           1.78482653991729133580e0,  2.96560571828504891230e-1,
                                           2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kFarBottom = {1.0,
                                              5.99832206555887937690e-1,
                                              1.36929880922735805310e-1,
                                              1.48753612908506148525e-2,
                                              7.86869131145613259100e-4,
                                              1.84631831751005468180e-5,
                                              1.42151175831644588870e-7,
                                              2.04426310338993978564e-15};

/// Returns the probability that lies `part` of the way between two others, kept inside (0, 1) in spite of rounding.
double between(double from, double to, double part) {
  constexpr double kBelowOne = 1.0 - 0x1p-53;
  return std::clamp(from + (to - from) * part, std::numeric_limits<double>::min(), kBelowOne);
}

/// Draws from the gamma law of shape >= 1 and scale 1 (Marsaglia and Tsang): d * v with v = (1 + c z)^3.
double gamma_from_one(Stream& stream, double shape) {
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double z = normal_quantile(stream.uniform());
    const double u = stream.uniform();
    const double root = 1.0 + c * z;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    if (elementary::log(u) < 0.5 * z * z + d * (1.0 - v + elementary::log(v))) return d * v;
  }
}

}  // namespace

double normal_quantile(double probability) {
  assert(probability > 0.0 && probability < 1.0);
  const double q = probability - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kCentreTop, r) / polynomial(kCentreBottom, r);
  }
  const double tail = q < 0.0 ? probability : 1.0 - probability;
  const double r = std::sqrt(-elementary::log(tail));
  const double x = r <= 5.0 ? polynomial(kNearTop, r - 1.6) / polynomial(kNearBottom, r - 1.6)
                            : polynomial(kFarTop, r - 5.0) / polynomial(kFarBottom, r - 5.0);
  return q < 0.0 ? -x : x;
}

double normal_cumulative(double x) {
  return 0.5 * elementary::erfc(-x / std::numbers::sqrt2);
}

double sample_exponential(Stream& stream, double mean) {
  assert(mean > 0.0);
  return -mean * elementary::log1p(-stream.uniform());
}

double sample_weibull(Stream& stream, double shape, double scale) {
  assert(shape > 0.0 && scale > 0.0);
  return scale * elementary::pow(sample_exponential(stream, 1.0), 1.0 / shape);
}

double sample_normal(Stream& stream, double mean, double standard_deviation) {
  assert(standard_deviation >= 0.0);
  return mean + standard_deviation * normal_quantile(stream.uniform());
}

double sample_lognormal(Stream& stream, double log_mean, double log_sd) {
  return elementary::exp(sample_normal(stream, log_mean, log_sd));
}

double sample_gamma(Stream& stream, double shape, double scale) {
  assert(shape > 0.0 && scale > 0.0);
  if (shape >= 1.0) return scale * gamma_from_one(stream, shape);
  // Gamma(shape) is Gamma(shape + 1) * U^(1/shape); the power underflows for shapes below 0.05.
  const double larger = gamma_from_one(stream, shape + 1.0);
  const double value =
      scale * elementary::exp(elementary::log(larger) + elementary::log(stream.uniform()) / shape);
  return std::max(value, std::numeric_limits<double>::denorm_min());
}

double sample_truncated_normal(Stream& stream, double mean, double standard_deviation, double low,
                               double high) {
  assert(standard_deviation > 0.0 && low < high);
  const double from = (low - mean) / standard_deviation;
  const double to = (high - mean) / standard_deviation;
  const double part = stream.uniform();
  // In the upper tail, probabilities round to 1. They are mirrored, so that they are small numbers instead.
  const bool mirrored = from > 0.0;
  const double z =
      mirrored ? -normal_quantile(between(normal_cumulative(-from), normal_cumulative(-to), part))
               : normal_quantile(between(normal_cumulative(from), normal_cumulative(to), part));
  return std::clamp(mean + standard_deviation * z, low, high);
}

double sample_truncated_gamma(Stream& stream, double shape, double scale, double low, double high) {
  assert(shape > 0.0 && scale > 0.0 && low >= 0.0 && low < high);
  const double from = low / scale;
  const double to = high / scale;
  const double part = stream.uniform();
  const bool in_upper_half = gamma_p(shape, from) > 0.5;
  const double x =
      in_upper_half
          ? gamma_q_inverse(shape, between(gamma_q(shape, from), gamma_q(shape, to), part))
          : gamma_p_inverse(shape, between(gamma_p(shape, from), gamma_p(shape, to), part));
  return std::clamp(scale * x, low, high);
}

}  // namespace holdfast
