#pragma once

namespace holdfast {

/// The value of -ln Q(k, u) and the derivatives that a fit needs, with respect to the shape k and to ln u.
struct GammaTailValue {
  double hazard = 0;          ///< cumulative hazard H = -ln Q(k, u)
  double by_log_age = 0;      ///< derivative dH / d ln u
  double by_shape = 0;        ///< derivative dH / dk
  double by_shape_twice = 0;  ///< second derivative d2H / dk2
};

/// Everything that depends only on the shape. It is made once per evaluation of a likelihood.
class GammaTailByShape {
 public:
  /// Prepares for a shape.
  /// @pre shape > 0
  explicit GammaTailByShape(double shape);
  /// Returns the value at u, with a relative accuracy of about 1e-12 (about 1e-10 for the derivatives).
  /// @param log_u  ln u, any finite number
  [[nodiscard]] GammaTailValue operator()(double log_u) const;

  /// Return the shape k, and ln Gamma and its first two derivatives at k.
  [[nodiscard]] double shape() const { return shape_; }
  [[nodiscard]] double log_gamma() const { return log_gamma_; }
  [[nodiscard]] double digamma() const { return digamma_; }
  [[nodiscard]] double trigamma() const { return trigamma_; }

 private:
  [[nodiscard]] GammaTailValue from_below(double log_u, double u) const;
  [[nodiscard]] GammaTailValue from_above(double log_u, double u) const;

  double shape_;
  double log_gamma_;
  double digamma_;
  double trigamma_;
};

}  // namespace holdfast
