#pragma once

#include "holdfast/math/octave_table.hpp"
#include "holdfast/models/failures/law.hpp"

namespace holdfast {

/// A law made fast: H, h, h' and the inverse of H read from tables (about 5 ns each, whatever the
/// law), for loops that ask millions of times: sampling of traces, platform hazards of simulations.
/// Relative error of H below 1e-10 in the tabulated range (2^-44 to 2^10 means), exact law outside.
/// A law that is not smooth (empirical) is asked directly. Immutable; making one costs under a
/// millisecond. Holds the law it was made of.
class TabulatedLaw {
 public:
  explicit TabulatedLaw(Law law);

  [[nodiscard]] const Law& law() const { return law_; }
  [[nodiscard]] double mean() const { return mean_; }

  [[nodiscard]] double cumulative_hazard(double x) const {  ///< @pre x >= 0
    return x >= hazard_.begin() && x <= hazard_.end() ? hazard_.value(x)
                                                      : law_.cumulative_hazard(x);
  }
  [[nodiscard]] HazardValue at(double x) const {  ///< @pre x > 0
    if (!(x >= hazard_.begin() && x <= hazard_.end())) return law_.at(x);
    const Jet jet = hazard_.jet(x);
    return {jet.value, jet.first, jet.second};
  }
  /// x with H(x) = y. @pre y >= 0
  [[nodiscard]] double inverse_cumulative_hazard(double y) const {
    return y >= inverse_.begin() && y <= inverse_.end() ? inverse_.value(y)
                                                        : law_.inverse_cumulative_hazard(y);
  }
  /// Residual time from an age on: x with H(age + x) - H(age) = y. @pre age >= 0, y >= 0
  [[nodiscard]] double residual(double age, double y) const;

  /// Cells per octave, as a power of two, on which a sum of this law's hazards over processors
  /// interpolates well.
  [[nodiscard]] int curve_resolution() const { return curve_resolution_; }

 private:
  Law law_;
  double mean_;
  OctaveTable hazard_;
  OctaveTable inverse_;
  int curve_resolution_ = 2;
};

}  // namespace holdfast
