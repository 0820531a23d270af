#pragma once

#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/law.hpp"

#include <span>

namespace holdfast {

/// The distance of lifetimes from a law.
struct GoodnessOfFit {
  /// Largest difference of survival between law and lifetimes, in [0, 1], where the lifetimes know it: at steps of the curve
  /// with 20 lives at risk, or a quarter of those that would be if none had been censored.
  double distance = 0;
  double p_value = 1;  ///< probability of lifetimes at least as far away if the law is the true one
};

/// Performs a Kolmogorov-Smirnov test on rescaled time: under the true law, H(lifetime) is exponential with mean 1. Censored
/// and truncated lives take part through the Kaplan-Meier estimate of the rescaled lives, with Hall and Wellner's limit, which
/// is Kolmogorov's if nothing is censored. A failure between two inspections is put at a point of its interval drawn from the
/// law, which keeps the test exact; the distance and the p-value are means over draws that are the same for every question.
///
/// If the law was fitted to the same lifetimes, the p-value is too large: a small one rejects the law, but a large one does not
/// prove it.
/// Source: Hall and Wellner 1980, Biometrika 67, 133-143.
[[nodiscard]] GoodnessOfFit kolmogorov_smirnov(std::span<const Lifetime> lives, const Law& law);

/// Returns P(largest |Brownian bridge| on [0, end] > x).
/// @pre 0 < end <= 1
[[nodiscard]] double brownian_bridge_tail(double x, double end);

}  // namespace holdfast
