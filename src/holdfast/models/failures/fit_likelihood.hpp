#pragma once

#include "holdfast/models/failures/fit_sample.hpp"

#include <cstdint>
#include <string_view>

namespace holdfast {

/// The laws that can be fitted.
enum class LawFamily : std::uint8_t { exponential, weibull, gamma, lognormal };

/// Returns the name of a family in the table of laws.
[[nodiscard]] std::string_view name_of(LawFamily family);
/// Returns the number of free parameters: 1 for the exponential law, else 2.
[[nodiscard]] int free_parameters(LawFamily family);

/// A member of a family, in coordinates that range over the whole plane and in which likelihoods are nearly quadratic. Ages are
/// in the sample's unit of time.
///
///   family       location                 log_shape
///   exponential  ln mean                  0
///   weibull      ln scale                 ln shape
///   gamma        ln mean                  ln shape
///   lognormal    mean of ln(age)          -ln(standard deviation of ln(age))
struct LawPoint {
  double location = 0;   ///< the location of the table above
  double log_shape = 0;  ///< the log_shape of the table above
};

/// A value with its first and second derivatives in location (l) and log_shape (s).
struct Curved {
  double value = 0;  ///< the value itself
  double l = 0;      ///< derivative in l
  double s = 0;      ///< derivative in s
  double ll = 0;     ///< second derivative in l
  double ls = 0;     ///< derivative in l and s
  double ss = 0;     ///< second derivative in s

  /// Adds another value and its derivatives.
  Curved& operator+=(const Curved& other);
  /// Returns true if the value and all derivatives are finite.
  [[nodiscard]] bool is_finite() const;
};
/// Returns a value and its derivatives, multiplied by a constant.
[[nodiscard]] Curved operator*(double factor, const Curved& x);

/// Returns the cumulative hazard H at an age, y = ln(age / unit).
[[nodiscard]] Curved cumulative_hazard(LawFamily family, const LawPoint& law, double y);

/// Returns the log-likelihood of a sample with its first and second derivatives. Exact failures contribute ln f(age), censored
/// lives ln S(age), and failures between inspections ln(S(low) - S(high)); truncation subtracts ln S(entry). Densities are per
/// unit of time of the sample; add -failures * log_unit for densities per second.
[[nodiscard]] Curved log_likelihood(LawFamily family, const LawPoint& law,
                                    const LifetimeSample& sample);

}  // namespace holdfast
