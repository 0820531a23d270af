#include "holdfast/math/gamma_function.hpp"

#include "holdfast/math/boost_policy.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <cassert>

namespace holdfast {

double log_gamma(double x) {
  assert(x > 0);
  return boost::math::lgamma(x, BoostPolicy{});
}

double digamma(double x) {
  assert(x > 0);
  return boost::math::digamma(x, BoostPolicy{});
}

double trigamma(double x) {
  assert(x > 0);
  return boost::math::trigamma(x, BoostPolicy{});
}

}  // namespace holdfast
