#pragma once

namespace holdfast {

/// Both regularised incomplete gamma functions.
struct IncompleteGamma {
  double p;  ///< of the lower tail
  double q;  ///< of the upper tail
};
/// Returns P(a, x) and Q(a, x), the smaller with its own digits. @pre a > 0, x > 0
[[nodiscard]] IncompleteGamma incomplete_gamma(double a, double x);

/// Return the regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x). Each has a relative accuracy near 1e-14
/// in its own small tail. @pre a > 0, x >= 0 (infinity allowed)
[[nodiscard]] double gamma_p(double a, double x);
[[nodiscard]] double gamma_q(double a, double x);

/// Return the x with P(a, x) = probability, and the x with Q(a, x) = probability. Use the one with the smaller probability.
/// @pre a > 0, 0 < probability < 1
[[nodiscard]] double gamma_p_inverse(double a, double probability);
[[nodiscard]] double gamma_q_inverse(double a, double probability);

}  // namespace holdfast
