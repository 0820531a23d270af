#pragma once

#include "holdfast/kernel/random.hpp"

#include <cstdint>

/// Random variates from a Stream. Holdfast has its own samplers because the distributions of the standard library give
/// different numbers on different platforms. Here the same stream gives the same numbers with every compiler (tests check
/// this). Parameters must be finite and in their ranges, which is only asserted; check input where it is read.
///
/// "By inversion" means that each variate takes one uniform number and grows with it, so that one draw can be compared under
/// two sets of parameters.
namespace holdfast {

/// Returns the x with P(Z <= x) = probability for a standard normal Z, to 16 digits.
/// @pre 0 < probability < 1
/// Source: Wichura 1988, algorithm AS 241 (PPND16).
[[nodiscard]] double normal_quantile(double probability);
/// Returns P(Z <= x) for a standard normal Z, with a small relative error even in the lower tail.
[[nodiscard]] double normal_cumulative(double x);

/// Draws from the exponential law of that mean, by inversion.
/// @pre mean > 0
[[nodiscard]] double sample_exponential(Stream& stream, double mean);
/// Draws from the Weibull law, scale * E^(1/shape) with E exponential of mean 1, by inversion.
/// @pre shape > 0, scale > 0
[[nodiscard]] double sample_weibull(Stream& stream, double shape, double scale);
/// Draws from the normal law, by inversion.
/// @pre standard_deviation >= 0
[[nodiscard]] double sample_normal(Stream& stream, double mean, double standard_deviation);
/// Draws from the lognormal law, exp(normal), by inversion.
/// @pre log_sd >= 0
[[nodiscard]] double sample_lognormal(Stream& stream, double log_mean, double log_sd);
/// Draws from the gamma law of mean shape * scale. Takes about 2.1 uniform numbers (3.1 for shape < 1); never returns 0.
/// @pre shape > 0, scale > 0
/// Source: Marsaglia and Tsang 2000.
[[nodiscard]] double sample_gamma(Stream& stream, double shape, double scale);

/// Draw from these laws under the condition that the value lies in [low, high], by inversion. Results are always inside the
/// interval. `high` may be infinity.
/// @pre low < high, and the interval's probability is at least 1e-290; low >= 0 except for the normal law, where it may be
///      minus infinity
[[nodiscard]] double sample_truncated_normal(Stream& stream, double mean, double standard_deviation,
                                             double low, double high);
[[nodiscard]] double sample_truncated_gamma(Stream& stream, double shape, double scale, double low,
                                            double high);

/// Draws the number of successes in `trials` trials, by inversion of the rarer outcome if its mean is below 10 (one
/// uniform number, cost O(mean)), else by transformed rejection (O(1), about 2.4 numbers).
/// @pre 0 <= trials <= 2^53, 0 <= probability <= 1
/// Source: Hoermann 1993, "The generation of binomial random variates", algorithm BTRS.
[[nodiscard]] std::int64_t sample_binomial(Stream& stream, std::int64_t trials, double probability);
/// Draws the number of failures before the first success, by inversion; at most 2^62.
/// @pre 0 < probability <= 1
[[nodiscard]] std::int64_t sample_geometric(Stream& stream, double probability);

}  // namespace holdfast
