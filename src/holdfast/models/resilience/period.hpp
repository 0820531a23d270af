#pragma once

namespace holdfast {

/// Periods (work between two checkpoints, in seconds) for exponential failures and an endless job.
/// @param checkpoint  C > 0, seconds
/// @param mtbf        mean time between failures of the whole job, > 0, seconds

/// Returns the first-order period, sqrt(2 C mtbf).
/// Source: Young 1974; Daly 2006; Perotin's thesis, section 5.3.2.
[[nodiscard]] double young_daly_period(double checkpoint, double mtbf) noexcept;

/// Returns the higher-order period: sqrt(2 C mtbf) (1 + sqrt(C / 2 mtbf) / 3 + (C / 2 mtbf) / 9) - C if C < 2 mtbf, else mtbf.
/// Source: Daly 2006, equation (37).
[[nodiscard]] double daly_period(double checkpoint, double mtbf) noexcept;

/// Returns the period that minimises the slowdown exactly: (1 + W0(-exp(-C/mtbf - 1))) mtbf. It depends neither on the
/// recovery nor on the downtime. Source: Perotin's thesis, Lemma 27; Bougeret et al. 2011,
/// theorem 1.
[[nodiscard]] double optimal_period(double checkpoint, double mtbf) noexcept;

}  // namespace holdfast
