#include "holdfast/models/resilience/period.hpp"

#include "holdfast/math/lambert.hpp"

#include <cassert>
#include <cmath>

namespace holdfast {

double young_daly_period(double checkpoint, double mtbf) noexcept {
  assert(checkpoint >= 0 && mtbf > 0);
  return std::sqrt(2 * checkpoint * mtbf);
}

double daly_period(double checkpoint, double mtbf) noexcept {
  const double x = checkpoint / (2 * mtbf);
  if (!(x < 1)) return mtbf;
  return young_daly_period(checkpoint, mtbf) * (1 + std::sqrt(x) / 3 + x / 9) - checkpoint;
}

double optimal_period(double checkpoint, double mtbf) noexcept {
  assert(checkpoint >= 0 && mtbf > 0);
  return lambert_w0_plus_one(checkpoint / mtbf) * mtbf;
}

}  // namespace holdfast
