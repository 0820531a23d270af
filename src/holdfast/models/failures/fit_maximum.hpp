#pragma once

#include "holdfast/models/failures/fit_likelihood.hpp"

#include <optional>

namespace holdfast {

/// The point where the likelihood of a sample is largest.
struct LikelihoodMaximum {
  LawPoint law;  ///< the point
  Curved at;     ///< log-likelihood at that point, with a gradient of nearly 0
};

/// Returns the most likely law of the shape of `from`, found from there by Newton's method: the likelihood is concave in the
/// location. Nothing if the likelihood of `from` is not finite.
[[nodiscard]] std::optional<LikelihoodMaximum> best_location(LawFamily family,
                                                             const LifetimeSample& sample,
                                                             const LawPoint& from);

/// Where a likelihood without a maximum keeps growing.
enum class Border {
  none,      ///< it has a maximum, or nothing was found
  one_age,   ///< while the law shrinks to one age (shape to 1e6)
  all_ages,  ///< while the law spreads over all ages (shape to 1e-6)
};

/// The result of a search for the maximum.
struct MaximumSearch {
  std::optional<LikelihoodMaximum> maximum;  ///< the highest one; nothing if there is none
  Border border = Border::none;              ///< where the likelihood is higher than at any maximum
};

/// Finds the maximum by Newton's method, starting from moments of the logarithms. If that fails, or if intervals or truncation
/// may make several maxima, it also starts from the most likely law of each of 37 shapes from 1e-6 to 1e6.
[[nodiscard]] MaximumSearch find_maximum(LawFamily family, const LifetimeSample& sample);

/// The covariance of (location, log_shape) at a maximum: the inverse of minus the second derivatives.
struct Covariance {
  double ll = 0;  ///< variance of the location
  double ls = 0;  ///< covariance of location and log_shape
  double ss = 0;  ///< variance of log_shape
  /// Returns the variance of a function with these derivatives.
  [[nodiscard]] double of(double by_l, double by_s) const {
    return by_l * by_l * ll + 2 * by_l * by_s * ls + by_s * by_s * ss;
  }
};
/// Returns the covariance at a maximum.
[[nodiscard]] Covariance covariance_at(LawFamily family, const Curved& maximum);

}  // namespace holdfast
