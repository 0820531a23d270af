#pragma once

#include "holdfast/kernel/random.hpp"

#include <cstdint>

namespace holdfast::workflow {

/// The shapes of the laws that were fitted to the run times of task types. Each is the law of Z in the specification, from
/// which a run time follows as in LengthLaw.
enum class Shape : std::uint8_t {
  constant,          ///< the largest run time itself
  arcsine,           ///< sin^2 of a uniform angle
  triangular,        ///< density 2z on [0, 1]
  argus,             ///< density ~ z sqrt(1 - z^2) exp(-a^2 (1 - z^2) / 2)
  normal,            ///< standard normal
  beta,              ///< beta(a, b)
  arc_of_order,      ///< 2 beta(a/2, a/2) - 1
  double_weibull,    ///< Weibull(a) with a random sign
  inverse_gaussian,  ///< mean 1, shape 1
  fisk,              ///< log-logistic of exponent a
  double_gamma,      ///< gamma(a) with a random sign
};

/// The run times of one type of task: max(0.1, loc + scale Z) times the largest observed run time.
struct LengthLaw {
  Shape shape = Shape::constant;
  double largest = 0;  ///< seconds
  double location = 0;
  double scale = 1;
  double a = 0;
  double b = 0;
};

/// Draws a run time in seconds.
[[nodiscard]] double sample_length(Stream& stream, const LengthLaw& law);

}  // namespace holdfast::workflow
