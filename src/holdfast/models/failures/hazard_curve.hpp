#pragma once

#include "holdfast/math/octave_table.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// The accuracy with which a curve approximates its sum: the relative error of Lambda and lambda is about 1e-9 (precise: plans
/// for people) or 1e-6 (fast: simulations, with a third of the cells).
enum class CurveAccuracy : std::uint8_t { fast, precise };

/// Returns the resolution of the octave grid that a curve of this law needs.
[[nodiscard]] int curve_resolution(const TabulatedLaw& law, CurveAccuracy accuracy);

class HazardCurve;

/// One part of a sum of hazards: `weight` processors of one age, or another curve.
struct HazardTerm {
  double age = 0;     ///< age of the processors, or of the youngest in the other curve, seconds
  double weight = 1;  ///< number of processors, negative if the term is subtracted
  /// The other curve; null: the term is a number of processors.
  const HazardCurve* curve = nullptr;
  double lag = 0;  ///< x = 0 of this curve is x = lag of the other, seconds
};

/// The platform's hazard from one instant on: Lambda(x), lambda(x) and lambda'(x) for 0 <= x <= span, where x = 0 is now. It is
/// a piecewise quintic (about 4 ns for all three). Planners use this curve.
///
/// Near x = 0 the cells are as narrow as the youngest age requires, and they widen with x. This suits every sum of H(age + x) -
/// H(age), because its singularities lie at minus the ages. One object may serve many plans, one after the other; it keeps its
/// memory. See decision 0010.
class HazardCurve {
 public:
  /// Makes the curve from ages. Cost: about 5 ns x groups x nodes / 2, with 4 (fast) to 16 (precise) nodes for each factor of
  /// two between the youngest age and the span.
  /// @pre span > 0, at least one group
  void assign(const TabulatedLaw& law, const Ages& ages, double span,
              CurveAccuracy accuracy = CurveAccuracy::precise);
  /// Makes the curve from terms, in order of increasing age.
  void assign(const TabulatedLaw& law, std::span<const HazardTerm> terms, double span,
              CurveAccuracy accuracy);
  /// Frees the memory that only assign() needs.
  void shrink();

  /// Returns the largest x of the curve, in seconds.
  [[nodiscard]] double span() const { return span_; }

  /// Returns Lambda, lambda and lambda' at x >= 0 (seconds). Beyond the span the hazard stays constant. At exactly 0, a group
  /// of age 0 under a law of falling hazard makes lambda infinite.
  [[nodiscard]] HazardValue at(double x) const {
    const double u = x + shift_;
    if (!table_.covers(u)) return outside(x);
    const Jet jet = table_.jet(u);
    return {jet.value, jet.first, jet.second};
  }
  /// Returns Lambda(x) alone.
  [[nodiscard]] double cumulative(double x) const {
    const double u = x + shift_;
    return table_.covers(u) ? table_.value(u) : outside(x).cumulative;
  }
  /// Returns lambda(x) alone, per second.
  [[nodiscard]] double hazard(double x) const { return at(x).hazard; }
  /// Returns S(x) = exp(-Lambda(x)).
  [[nodiscard]] double survival(double x) const;
  /// Returns the x with Lambda(x) = y; the span if Lambda stays below y up to there.
  /// @pre y >= 0
  [[nodiscard]] double inverse(double y) const;
  /// Returns a distance from x, in seconds, within which Lambda is close to a polynomial: a 4-point Gauss rule on [x, x +
  /// distance] has a relative error of about 1e-9. The distance grows with the distance to the singularities, which lie at
  /// minus the ages, and is 0 only at x = 0 with new processors.
  [[nodiscard]] double smooth_step(double x) const { return smooth_part_ * (x + shift_); }

 private:
  [[nodiscard]] HazardValue outside(double x) const;
  void sum(const TabulatedLaw& law, std::span<const HazardTerm> terms, double span, int resolution);
  void place_nodes(double youngest, double span, int resolution);
  void add(const TabulatedLaw& law, const HazardTerm& term);
  void close(OctaveTable& table);

  double span_ = 0;
  double shift_ = 0;  ///< seconds: the table's argument is x + shift
  bool is_smooth_ = true;
  double smooth_part_ = 0;  ///< smooth range as a share of the distance to the singularities
  double head_end_ = 0;     ///< x of the first node: before it, Lambda is a power of x
  Jet head_;                ///< the sum at the first node
  double head_exponent_ = 1;
  double tail_start_ = 0;  ///< x of the last node
  OctaveTable table_;

  // The following are used only while a curve is made.
  double nothing_ = 0;  ///< an age below it is as good as 0
  OctaveGrid grid_;
  std::int64_t first_ = 0;
  std::vector<double> nodes_;  ///< x of each node
  std::vector<Jet> jets_;      ///< the sum at each node
  std::vector<double> values_;
  std::vector<HazardTerm> terms_;
  OctaveTable older_;  ///< the old terms alone
};

}  // namespace holdfast
