#include "holdfast/math/student.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cassert>

namespace holdfast {

double student_quantile(double probability, double degrees) {
  assert(degrees > 0 && probability > 0 && probability < 1);
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  return boost::math::quantile(boost::math::students_t_distribution<double, Policy>(degrees),
                               probability);
}

}  // namespace holdfast
