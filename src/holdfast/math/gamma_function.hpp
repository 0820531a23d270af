#pragma once

namespace holdfast {

/// ln Gamma(x); unlike std::lgamma it writes no global. @pre x > 0
[[nodiscard]] double log_gamma(double x);
/// First and second derivative of ln Gamma. @pre x > 0
[[nodiscard]] double digamma(double x);
[[nodiscard]] double trigamma(double x);

}  // namespace holdfast
