#pragma once

namespace holdfast {

/// Returns ln Gamma(x). Unlike std::lgamma it does not write a global variable. @pre x > 0
[[nodiscard]] double log_gamma(double x);
/// Return the first and the second derivative of ln Gamma. @pre x > 0
[[nodiscard]] double digamma(double x);
[[nodiscard]] double trigamma(double x);

}  // namespace holdfast
