#pragma once

#include <cmath>
#include <numbers>

namespace holdfast {

/// Returns where f is least in [low, high], by a golden section search until the interval is no longer than `tolerance` (or
/// its ends are neighbouring numbers). Rounding hides differences of f near its minimum: the place is right to about the square
/// root of the machine precision, whatever the tolerance. Source: Kiefer 1953.
/// @pre low <= high, tolerance > 0, f has one minimum in [low, high]
template <class Function>
[[nodiscard]] double find_minimum(const Function& f, double low, double high, double tolerance) {
  constexpr double kGolden = std::numbers::phi - 1;
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double at_left = f(left);
  double at_right = f(right);
  while (high - low > tolerance && left < right) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      at_left = f(left = high - kGolden * (high - low));
    } else {
      low = left;
      left = right;
      at_left = at_right;
      at_right = f(right = low + kGolden * (high - low));
    }
  }
  return at_left <= at_right ? left : right;
}

}  // namespace holdfast
