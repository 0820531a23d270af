#pragma once

#include "holdfast/models/failures/fit_likelihood.hpp"

#include <optional>

namespace holdfast {

/// The point where the likelihood of a sample is largest.
struct LikelihoodMaximum {
  LawPoint law;         ///< the point
  Curved at;            ///< log-likelihood at that point, with a gradient of nearly 0
  int evaluations = 0;  ///< number of evaluations of the likelihood
};

/// Finds the maximum by Newton's method, starting from moments of the logarithms, and checks that every step goes up. Returns
/// nothing if there is no maximum, because the likelihood keeps growing while the law shrinks to one age (shape above 1e6) or
/// spreads over all ages (below 1e-6).
[[nodiscard]] std::optional<LikelihoodMaximum> find_maximum(LawFamily family,
                                                            const LifetimeSample& sample);

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

/// A quantity whose interval is wanted: either log_shape, or location + offset(log_shape).
struct ProfiledQuantity {
  bool is_shape = false;  ///< true: the quantity is log_shape
  /// The offset with its first and second derivative in log_shape; null: no offset.
  Curved (*offset)(double log_shape) = nullptr;

  /// Returns the quantity at a point.
  [[nodiscard]] double at(const LawPoint& law) const;
  /// Returns the derivative in log_shape; the one in location is 1.
  /// @pre !is_shape
  [[nodiscard]] double slope(double log_shape) const;
};

/// Returns one end of the likelihood-ratio interval of a quantity: the value at which the log-likelihood, maximised over the
/// other parameter, is lower than its maximum by `drop`. Infinite if it does not fall that far within a distance of 60 on that
/// side.
/// @param side  -1 for the lower end, +1 for the upper end
[[nodiscard]] double profile_bound(LawFamily family, const LifetimeSample& sample,
                                   const LikelihoodMaximum& maximum,
                                   const ProfiledQuantity& quantity, double drop, int side);

}  // namespace holdfast
