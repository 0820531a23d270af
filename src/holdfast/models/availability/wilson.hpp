#pragma once

#include "holdfast/models/failures/fit.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast {

/// Returns Wilson's 95 % interval of a probability that was observed as a share in a number of tries (not necessarily whole).
/// @pre tries > 0
[[nodiscard]] inline ConfidenceInterval wilson_interval(double share, double tries) {
  constexpr double z = 1.959963984540054;
  const double middle = (share + z * z / (2 * tries)) / (1 + z * z / tries);
  const double half = z / (1 + z * z / tries) *
                      std::sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries));
  // The end is exact for an event that never or always happened, instead of a rounding error.
  return {share == 0 ? 0 : std::max(0.0, middle - half),
          share == 1 ? 1 : std::min(1.0, middle + half)};
}

}  // namespace holdfast
