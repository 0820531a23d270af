#pragma once

namespace holdfast {

/// Returns P(X >= x) for a chi-square law. @pre degrees > 0, x >= 0
[[nodiscard]] double chi_square_survival(double degrees, double x);
/// Returns the x with P(X <= x) = probability. @pre degrees > 0, 0 < probability < 1
[[nodiscard]] double chi_square_quantile(double degrees, double probability);

}  // namespace holdfast
