#include "holdfast/domains/workflow/length_law.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace holdfast::workflow {
namespace {

double sample_beta(Stream& stream, double a, double b) {
  const double x = sample_gamma(stream, a, 1);
  const double y = sample_gamma(stream, b, 1);
  return x / (x + y);
}

double sample_argus(Stream& stream, double a) {
  if (a == 0) return std::sqrt(1 - elementary::pow(stream.uniform(), 2.0 / 3));
  // a^2 (1 - z^2) / 2 is a gamma variate of shape 3/2 in [0, a^2 / 2].
  const double limit = a * a / 2;
  return std::sqrt(1 - sample_truncated_gamma(stream, 1.5, 1, 0, limit) / limit);
}

// Michael, Schucany and Haas 1976, for mean 1 and shape 1.
double sample_inverse_gaussian(Stream& stream) {
  const double v = sample_normal(stream, 0, 1);
  const double y = v * v;
  const double x = 1 + y / 2 - std::sqrt(4 * y + y * y) / 2;
  return stream.uniform() <= 1 / (1 + x) ? x : 1 / x;
}

double with_random_sign(Stream& stream, double value) {
  return stream.chance(0.5) ? value : -value;
}

double standard_variate(Stream& stream, const LengthLaw& law) {
  switch (law.shape) {
    case Shape::constant:
      return 1;
    case Shape::arcsine: {
      const double sine = elementary::sin(std::numbers::pi / 2 * stream.uniform());
      return sine * sine;
    }
    case Shape::triangular:
      return std::sqrt(stream.uniform());
    case Shape::argus:
      return sample_argus(stream, law.a);
    case Shape::normal:
      return sample_normal(stream, 0, 1);
    case Shape::beta:
      return sample_beta(stream, law.a, law.b);
    case Shape::arc_of_order:
      return 2 * sample_beta(stream, law.a / 2, law.a / 2) - 1;
    case Shape::double_weibull:
      return with_random_sign(stream, sample_weibull(stream, law.a, 1));
    case Shape::inverse_gaussian:
      return sample_inverse_gaussian(stream);
    case Shape::fisk: {
      const double u = stream.uniform();
      return elementary::pow(u / (1 - u), 1 / law.a);
    }
    case Shape::double_gamma:
      return with_random_sign(stream, sample_gamma(stream, law.a, 1));
  }
  return 1;
}

}  // namespace

double sample_length(Stream& stream, const LengthLaw& law) {
  const double fraction = law.location + law.scale * standard_variate(stream, law);
  return std::max(0.1, fraction) * law.largest;
}

}  // namespace holdfast::workflow
