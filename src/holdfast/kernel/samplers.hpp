#pragma once

#include "holdfast/kernel/random.hpp"

#include <cstdint>

/// Random variates from a Stream. Ours, because what the distributions of the standard library
/// return differs between libraries: the same stream gives the same numbers with every compiler
/// (tests pin them). Parameters are finite and in their ranges; a violation is an assertion, so
/// check input where it is read.
///
/// "By inversion" means one uniform number per variate, and a variate that grows with it: with two
/// parameter sets the same luck stays the same luck.
namespace holdfast {

/// The x with P(Z <= x) = probability for a standard normal Z; 16 digits. @pre 0 < probability < 1
/// Source: Wichura 1988, algorithm AS 241 (PPND16).
[[nodiscard]] double normal_quantile(double probability);
/// P(Z <= x) for a standard normal Z; relative accuracy in the lower tail too.
[[nodiscard]] double normal_cumulative(double x);

/// Exponential of that mean, by inversion. @pre mean > 0
[[nodiscard]] double sample_exponential(Stream& stream, double mean);
/// Weibull, scale * E^(1/shape) with E exponential of mean 1, by inversion. @pre shape > 0, scale >
/// 0
[[nodiscard]] double sample_weibull(Stream& stream, double shape, double scale);
/// Normal, by inversion. @pre standard_deviation >= 0
[[nodiscard]] double sample_normal(Stream& stream, double mean, double standard_deviation);
/// exp(normal), by inversion. @pre log_sd >= 0
[[nodiscard]] double sample_lognormal(Stream& stream, double log_mean, double log_sd);
/// Gamma of mean shape * scale. Takes about 2.1 uniform numbers (3.1 for shape < 1); never returns
/// 0. Source: Marsaglia and Tsang 2000. @pre shape > 0, scale > 0
[[nodiscard]] double sample_gamma(Stream& stream, double shape, double scale);

/// The same laws given that the value lies in [low, high]; all by inversion, all results inside the
/// interval. `high` may be infinity. @pre low < high, the interval's probability is at least
/// 1e-290; low >= 0 except for the normal, where it may be minus infinity
[[nodiscard]] double sample_truncated_exponential(Stream& stream, double mean, double low,
                                                  double high);
[[nodiscard]] double sample_truncated_weibull(Stream& stream, double shape, double scale,
                                              double low, double high);
[[nodiscard]] double sample_truncated_normal(Stream& stream, double mean, double standard_deviation,
                                             double low, double high);
[[nodiscard]] double sample_truncated_lognormal(Stream& stream, double log_mean, double log_sd,
                                                double low, double high);
[[nodiscard]] double sample_truncated_gamma(Stream& stream, double shape, double scale, double low,
                                            double high);

/// Successes in `trials` trials. By inversion of the rarer outcome where its mean is below 10 (one
/// uniform number, cost O(mean)), else by transformed rejection (O(1), about 2.4 numbers). @pre 0
/// <= trials <= 2^53, 0 <= probability <= 1 Source: Hoermann 1993, "The generation of binomial
/// random variates", algorithm BTRS.
[[nodiscard]] std::int64_t sample_binomial(Stream& stream, std::int64_t trials, double probability);
/// By inversion where the mean is below 10, else by transformed rejection. @pre 0 <= mean <= 2^53
/// Source: Hoermann 1993, "The transformed rejection method for generating Poisson random
/// variables", PTRS.
[[nodiscard]] std::int64_t sample_poisson(Stream& stream, double mean);
/// Failures before the first success, by inversion; at most 2^62. @pre 0 < probability <= 1
[[nodiscard]] std::int64_t sample_geometric(Stream& stream, double probability);

}  // namespace holdfast
