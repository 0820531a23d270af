#pragma once

/// The standard normal law seen by its logarithmic upper tail, where erfc underflows or loses
/// digits.
namespace holdfast {

/// ln erfc(x), finite for every finite x (erfc itself underflows at 27).
[[nodiscard]] double log_erfc(double x);

/// -ln P(Z >= z) = -ln(erfc(z / sqrt 2) / 2): digits kept in both tails.
[[nodiscard]] double minus_log_normal_survival(double z);

/// Returns the z with minus_log_normal_survival(z) = y. @pre y > 0
[[nodiscard]] double inverse_minus_log_normal_survival(double y);

/// Density over upper tail: the hazard of the normal law (inverse Mills ratio).
[[nodiscard]] double normal_hazard(double z);

}  // namespace holdfast
