#include "holdfast/math/gamma_function.hpp"

#include "holdfast/base/elementary.hpp"

#include <cassert>

namespace holdfast {
namespace {

// The asymptotic series are used from here on; below it, the recurrence leads there.
constexpr double kFar = 16;

}  // namespace

double log_gamma(double x) {
  assert(x > 0);
  return elementary::lgamma(x);
}

double digamma(double x) {
  assert(x > 0);
  double below = 0;
  while (x < kFar) below += 1 / x++;
  // ln x - 1/2x - sum of B_2k / (2k x^2k)
  const double s = 1 / (x * x);
  const double rest =
      s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132)))));
  return elementary::log(x) - 0.5 / x - rest - below;
}

double trigamma(double x) {
  assert(x > 0);
  double below = 0;
  while (x < kFar) {
    below += 1 / (x * x);
    ++x;
  }
  // 1/x + 1/2x^2 + sum of B_2k / x^(2k + 1)
  const double s = 1 / (x * x);
  const double rest =
      s * (1.0 / 6 - s * (1.0 / 30 - s * (1.0 / 42 - s * (1.0 / 30 - s * (5.0 / 66)))));
  return (1 + 0.5 / x + rest) / x + below;
}

}  // namespace holdfast
