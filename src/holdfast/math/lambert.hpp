#pragma once

namespace holdfast {

/// Returns 1 + W0(-exp(-1 - x)), where W0 is the principal branch of Lambert's W: the y in [0, 1) with -ln(1 - y) - y = x.
///
/// Formulas of optimal checkpoint periods need this sum and not W0 itself. For small x it is about sqrt(2x), while W0 is close
/// to -1, so the subtraction would lose half of the digits (all of them below x = 1e-16).
///
/// @param x  >= 0; infinity gives 1
/// @returns  y to 1e-15 relative; 1 - y underflows to a rounded 1 from x = 37 on
[[nodiscard]] double lambert_w0_plus_one(double x) noexcept;

}  // namespace holdfast
