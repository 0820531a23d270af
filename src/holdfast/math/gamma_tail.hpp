#pragma once

/// The gamma law of scale 1 seen by its logarithmic tails, where incomplete_gamma.hpp underflows or
/// loses digits. Nothing throws.
namespace holdfast {

/// -ln Q(a, x), Q the regularised upper incomplete gamma function: the cumulative hazard of the
/// gamma law. 0 at x = 0, finite and increasing for every finite x: from the lower tail P where
/// that is below 1/2, from a continued fraction where Q would underflow. Relative error below
/// 1e-12. @pre a > 0, x >= 0
[[nodiscard]] double minus_log_gamma_q(double a, double x);

/// The x with minus_log_gamma_q(a, x) = y. @pre a > 0, y >= 0
[[nodiscard]] double inverse_minus_log_gamma_q(double a, double y);

/// x^(a-1) e^-x / (Gamma(a) Q(a, x)): the hazard of the gamma law. @pre a > 0, x > 0
[[nodiscard]] double gamma_hazard(double a, double x);

}  // namespace holdfast
