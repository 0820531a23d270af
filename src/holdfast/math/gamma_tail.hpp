#pragma once

namespace holdfast {

/// The gamma law of shape a and scale 1, by the logarithm of its upper tail, for arguments at which the functions of
/// incomplete_gamma.hpp underflow or lose digits. Everything that depends only on a is computed once.
class GammaTail {
 public:
  /// Computes what depends on the shape a. @pre shape > 0, finite
  explicit GammaTail(double shape);

  /// The cumulative hazard and the hazard at one argument.
  struct Values {
    double minus_log_q;  ///< -ln Q(a, x): the cumulative hazard
    double hazard;       ///< x^(a-1) e^-x / (Gamma(a) Q(a, x))
  };
  /// Returns both values with a relative error below 1e-12. Q is computed from the lower tail P if P is below 1/2, and from a
  /// continued fraction where Q itself would underflow. @pre x > 0, finite
  [[nodiscard]] Values at(double x) const;

  /// Returns -ln Q(a, x) alone: 0 at 0, infinity at infinity, finite and increasing in between. @pre x >= 0
  [[nodiscard]] double minus_log_q(double x) const;

  /// Returns the x with minus_log_q(x) = y; 0 if it would underflow. @pre y >= 0, finite
  [[nodiscard]] double inverse(double y) const;

 private:
  [[nodiscard]] Values by_series(double x) const;
  [[nodiscard]] Values by_fraction(double x) const;
  [[nodiscard]] Values by_tails(double x) const;
  [[nodiscard]] double near_inverse(double y) const;

  double shape_;
  double log_gamma_;      ///< ln Gamma(a)
  double inverse_gamma_;  ///< 1 / Gamma(a), 0 if that underflows
};

}  // namespace holdfast
