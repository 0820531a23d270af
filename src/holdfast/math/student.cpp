#include "holdfast/math/student.hpp"

#include "holdfast/math/boost_policy.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cassert>

namespace holdfast {

double student_quantile(double probability, double degrees) {
  assert(degrees > 0 && probability > 0 && probability < 1);
  return boost::math::quantile(boost::math::students_t_distribution<double, BoostPolicy>(degrees),
                               probability);
}

}  // namespace holdfast
