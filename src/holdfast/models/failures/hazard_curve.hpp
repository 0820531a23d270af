#pragma once

#include "holdfast/math/octave_table.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

namespace holdfast {

/// The platform's hazard from one instant on: Lambda(x), lambda(x) and lambda'(x) for 0 <= x <=
/// span, x = 0 now, as a piecewise quintic (about 5 ns for all three). What planners are given. The
/// grid is graded: cells are narrow near x = 0 in proportion to the youngest age, and widen with x,
/// which suits every sum of H(age + x) - H(age).
///
///   HazardCurve curve;                     // kept between plans: no allocation after the first
///   few curve.assign(law, ages, work + checkpoints); const HazardValue now = curve.at(x);
///
/// Relative error of Lambda and lambda with `precise`: about 1e-9; without (simulations): 1e-6.
class HazardCurve {
 public:
  enum class Accuracy { fast, precise };

  /// From ages. Cost: (about 10 per factor two between the youngest age and the span; twice that if
  /// precise) x groups x 5 ns. @pre span > 0, at least one group
  void assign(const TabulatedLaw& law, const Ages& ages, double span,
              Accuracy accuracy = Accuracy::precise);

  /// The same in steps, for sums that mix sources: begin(), any number of add(), finish().
  /// @param youngest  smallest age of all that will be added, seconds
  void begin(double youngest, double span, int resolution, bool smooth = true);
  /// Adds `weight` processors of that age. @pre age >= youngest of begin()
  void add(const TabulatedLaw& law, double age, double weight);
  /// Adds a sum that is already tabulated: node_jets(x, jet) is called for each node x >= 0 and
  /// adds to it. Constants in the value do not matter.
  template <class Function>
  void add_function(const Function& add_to) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) add_to(nodes_[i], jets_[i]);
  }
  void finish();

  [[nodiscard]] double span() const { return span_; }

  /// Lambda, lambda, lambda' at x >= 0; beyond the span the hazard stays what it is there.
  [[nodiscard]] HazardValue at(double x) const {
    const double u = x + shift_;
    if (!(u >= table_.begin() && u <= table_.end())) return outside(x);
    const Jet jet = table_.jet(u);
    return {jet.value, jet.first, jet.second};
  }
  /// Lambda(x) alone.
  [[nodiscard]] double cumulative(double x) const {
    const double u = x + shift_;
    return u >= table_.begin() && u <= table_.end() ? table_.value(u) : outside(x).cumulative;
  }
  /// lambda(x) alone, per second.
  [[nodiscard]] double hazard(double x) const { return at(x).hazard; }
  /// S(x) = exp(-Lambda(x)).
  [[nodiscard]] double survival(double x) const;
  /// The x with Lambda(x) = y, at most span() (where Lambda(span) < y). @pre y >= 0
  [[nodiscard]] double inverse(double y) const;

 private:
  [[nodiscard]] HazardValue outside(double x) const;

  double span_ = 0;
  double shift_ = 0;  ///< cells are those of the octave grid at x + shift
  bool smooth_ = true;
  double head_end_ = 0;  ///< below it (no shift) Lambda is a power of x
  double head_exponent_ = 1;
  OctaveGrid grid_;
  std::int64_t first_ = 0;
  OctaveTable table_;
  std::vector<double> nodes_;  ///< x of each node
  std::vector<Jet> jets_;
};

}  // namespace holdfast
