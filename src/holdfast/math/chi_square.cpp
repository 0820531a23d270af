#include "holdfast/math/chi_square.hpp"

#include "holdfast/math/incomplete_gamma.hpp"

#include <cassert>

namespace holdfast {

double chi_square_survival(double degrees, double x) {
  assert(degrees > 0 && x >= 0);
  return gamma_q(degrees / 2, x / 2);
}

double chi_square_quantile(double degrees, double probability) {
  assert(degrees > 0 && probability > 0 && probability < 1);
  return 2 * gamma_p_inverse(degrees / 2, probability);
}

}  // namespace holdfast
