#pragma once

#include "holdfast/models/failures/fit_maximum.hpp"

#include <functional>
#include <vector>

namespace holdfast {

/// A quantity of a law with its derivatives. It must be monotone in the location, or be the log_shape itself.
using LawQuantity = std::function<Curved(const LawPoint&)>;

/// The laws whose log-likelihood is lower than the maximum by at most `drop`. The ends of a quantity in this region are its
/// likelihood-ratio interval. For a given shape the region is an interval of locations, because the likelihood is concave there,
/// so the whole border can be followed, however crooked it is.
class LikelihoodRegion {
 public:
  /// Prepares for a sample; nothing is searched yet.
  /// @param maximum  of that sample; both must live as long as the region
  LikelihoodRegion(LawFamily family, const LifetimeSample& sample, const LikelihoodMaximum& maximum,
                   double drop);

  /// Returns the lowest (side -1) or highest (side +1) value of the quantity in the region; infinite if there is none, because
  /// the region goes on to laws of shape 1e-6 or 1e6.
  [[nodiscard]] double end(const LawQuantity& quantity, int side);

 private:
  /// The region at one shape.
  struct Slice {
    double log_shape = 0;
    double best = 0;  ///< the most likely location
    double low = 0;   ///< the ends of the locations; infinite where there is none
    double high = 0;  ///< less than `low` if the region has no law of this shape
  };

  /// Returns the end of a quantity by Newton's method from where it would be if the likelihood were quadratic; NaN if that
  /// leads elsewhere.
  [[nodiscard]] double quadratic_end(const LawQuantity& quantity, int side) const;
  /// Returns the end of a quantity on the border of the region near a point; NaN if there is none.
  [[nodiscard]] double polished(const LawQuantity& quantity, LawPoint law) const;
  [[nodiscard]] Slice slice_at(double log_shape, double from) const;
  [[nodiscard]] double location_end(const LikelihoodMaximum& best, int side) const;
  /// Returns the smallest or largest log_shape of the region; infinite if there is none.
  [[nodiscard]] double shape_end(int side) const;
  /// Returns the largest value of the quantity (side +1), or minus the smallest, in a slice.
  [[nodiscard]] double farthest(const LawQuantity& quantity, const Slice& slice, int side) const;
  void follow_border();

  LawFamily family_;
  const LifetimeSample& sample_;
  const LikelihoodMaximum& maximum_;
  double drop_;
  double target_;              ///< log-likelihood on the border
  double tolerance_;           ///< error of the log-likelihood there
  std::vector<Slice> slices_;  ///< from the smallest shape to the largest; found when first needed
  bool is_open_low_ = false;   ///< the region goes on to the smallest shapes
  bool is_open_high_ = false;
};

}  // namespace holdfast
