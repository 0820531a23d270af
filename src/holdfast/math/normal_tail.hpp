#pragma once

/// The standard normal law by the logarithm of its upper tail, for arguments at which erfc underflows or loses digits.
namespace holdfast {

/// Returns ln erfc(x), which is finite for every finite x (erfc itself underflows at 27).
[[nodiscard]] double log_erfc(double x);

/// Returns -ln P(Z >= z) = -ln(erfc(z / sqrt 2) / 2), accurate in both tails.
[[nodiscard]] double minus_log_normal_survival(double z);

/// Returns the z with minus_log_normal_survival(z) = y. @pre y > 0
[[nodiscard]] double inverse_minus_log_normal_survival(double y);

/// Returns the density divided by the upper tail: the hazard of the normal law (inverse Mills ratio).
[[nodiscard]] double normal_hazard(double z);

}  // namespace holdfast
