#include "holdfast/math/incomplete_gamma.hpp"

#include "holdfast/math/boost_policy.hpp"

#include <boost/math/special_functions/gamma.hpp>

#include <cassert>
#include <cmath>

namespace holdfast {

double gamma_p(double a, double x) {
  assert(a > 0 && x >= 0);
  return std::isinf(x) ? 1.0 : boost::math::gamma_p(a, x, BoostPolicy{});
}

double gamma_q(double a, double x) {
  assert(a > 0 && x >= 0);
  return std::isinf(x) ? 0.0 : boost::math::gamma_q(a, x, BoostPolicy{});
}

double gamma_p_inverse(double a, double probability) {
  assert(a > 0 && probability > 0 && probability < 1);
  return boost::math::gamma_p_inv(a, probability, BoostPolicy{});
}

double gamma_q_inverse(double a, double probability) {
  assert(a > 0 && probability > 0 && probability < 1);
  return boost::math::gamma_q_inv(a, probability, BoostPolicy{});
}

}  // namespace holdfast
