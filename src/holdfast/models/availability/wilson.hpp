#pragma once

#include "holdfast/models/failures/fit.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast {

/// 95 % interval of a probability, seen as a share of so many tries (which need be no whole number): Wilson's.
/// @pre tries > 0
[[nodiscard]] inline ConfidenceInterval wilson_interval(double share, double tries) {
  constexpr double z = 1.959963984540054;
  const double middle = (share + z * z / (2 * tries)) / (1 + z * z / tries);
  const double half = z / (1 + z * z / tries) *
                      std::sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}  // namespace holdfast
