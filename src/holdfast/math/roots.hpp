#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {

/// The result of find_root(). Numbers are NaN if no root was found.
struct Root {
  double x = std::numeric_limits<double>::quiet_NaN();      ///< the root
  double value = std::numeric_limits<double>::quiet_NaN();  ///< f(x)
  int evaluations = 0;                                      ///< number of evaluations of f
  bool found = false;  ///< false: f has the same sign at both ends, or is NaN there
};

/// Finds a root of f in [low, high], where f(low) and f(high) have opposite signs (either may be zero). It uses Chandrupatla's
/// method: inverse quadratic steps where they are safe, otherwise bisection. It never leaves the bracket and never takes more
/// than about three times the evaluations of bisection. It stops when the bracket is below max(relative_tolerance |x|,
/// absolute_tolerance); with the defaults, at the last bit.
template <class Function>
[[nodiscard]] Root find_root(const Function& f, double low, double high,
                             double relative_tolerance = 2 * std::numeric_limits<double>::epsilon(),
                             double absolute_tolerance = 0) {
  double b = low;
  double fb = f(b);
  double a = high;
  double fa = f(a);
  int evaluations = 2;
  if (fb == 0) return {b, 0, evaluations, true};
  if (fa == 0) return {a, 0, evaluations, true};
  if (!((fa < 0) != (fb < 0)) || std::isnan(fa) || std::isnan(fb)) return {};
  double c = a;
  double fc = fa;
  double step = 0.5;  // step as a fraction of the way from a to b
  for (; evaluations < 400; ++evaluations) {
    const double x = a + step * (b - a);
    const double fx = f(x);
    c = a;
    fc = fa;
    if ((fx < 0) != (fa < 0)) {
      c = b;
      fc = fb;
      b = a;
      fb = fa;
    }
    a = x;
    fa = fx;
    const double best = std::abs(fa) < std::abs(fb) ? a : b;
    const double best_value = std::abs(fa) < std::abs(fb) ? fa : fb;
    const double tolerance =
        0.5 * std::max(relative_tolerance * std::abs(best), absolute_tolerance);
    const double relative = tolerance / std::abs(b - a);
    if (best_value == 0 || !(relative < 0.5)) return {best, best_value, evaluations + 1, true};
    const double xi = (a - b) / (c - b);
    const double phi = (fa - fb) / (fc - fb);
    step =
        phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi
            ? fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            : 0.5;
    step = step > 1 - relative ? 1 - relative : step < relative ? relative : step;
  }
  return {a, fa, evaluations, true};
}

}  // namespace holdfast
