#include "holdfast/math/incomplete_gamma.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/gamma_tail.hpp"

#include <cassert>
#include <cmath>

namespace holdfast {

double gamma_p(double a, double x) {
  assert(a > 0 && x >= 0);
  return x > 0 ? incomplete_gamma(a, x).p : 0;
}

double gamma_q(double a, double x) {
  assert(a > 0 && x >= 0);
  return x > 0 ? incomplete_gamma(a, x).q : 1;
}

double gamma_p_inverse(double a, double probability) {
  assert(a > 0 && probability > 0 && probability < 1);
  return GammaTail{a}.inverse(-elementary::log1p(-probability));
}

double gamma_q_inverse(double a, double probability) {
  assert(a > 0 && probability > 0 && probability < 1);
  return GammaTail{a}.inverse(-elementary::log(probability));
}

}  // namespace holdfast
