#include "holdfast/math/lambert.hpp"

#include "holdfast/base/elementary.hpp"

#include <cassert>
#include <cmath>

namespace holdfast {
namespace {

// Returns -ln(1 - y) - y without the cancellation that the plain expression has for small y.
double excess(double y) {
  if (y > 0.1) return -elementary::log1p(-y) - y;
  double power = y * y;
  double sum = 0;
  for (int n = 2; n < 20; ++n) {  // 0.1^18 / 20 is below half a unit of the first term
    sum += power / n;
    power *= y;
  }
  return sum;
}

}  // namespace

double lambert_w0_plus_one(double x) noexcept {
  assert(x >= 0);
  if (!(x > 0)) return 0;
  if (x > 1) {
    // z = 1 - y solves z = exp(-1 - x + z), a contraction whose factor is z itself.
    const double start = elementary::exp(-1 - x);
    double z = start;
    for (int step = 0; step < 60; ++step) {
      const double next = z - (z - start * elementary::exp(z)) / (1 - z);
      const bool done = std::fabs(next - z) <= 1e-17 + 1e-16 * next;
      z = next;
      if (done) break;
    }
    return 1 - z;
  }
  const double root = std::sqrt(2 * x);
  double y = root - root * root / 3 + root * root * root / 36;  // series at the branch point
  for (int step = 0; step < 20; ++step) {
    const double change = (excess(y) - x) * (1 - y) / y;  // Newton: the derivative is y / (1 - y)
    y -= change;
    if (std::fabs(change) <= 1e-16 * y) break;
  }
  return y;
}

}  // namespace holdfast
