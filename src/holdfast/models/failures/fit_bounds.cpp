#include "holdfast/models/failures/fit_bounds.hpp"

#include "holdfast/math/minimum.hpp"
#include "holdfast/math/roots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kNotFound = std::numeric_limits<double>::quiet_NaN();
constexpr double kShapeBorder = 13.8;  // ln 1e6
constexpr double kFarthest = 1e18;     // location at which the search for a border ends
constexpr double kLongestStep = 0.5;   // of ln(shape), so that the next search starts near its end
constexpr double kFarBelow = -1e300;
constexpr std::size_t kSlices = 33;

/// Returns where a function falls to 0 on the way from a place where it is positive; infinite if it does not up to the limit.
template <class Function>
double border(const Function& f, double inside, double step, double longest, double limit) {
  for (;;) {
    const double outside = std::clamp(inside + step, -limit, limit);
    if (!(f(outside) > 0)) return find_root(f, inside, outside, 1e-15).x;
    if (std::abs(outside) == limit) return std::copysign(kUnbounded, step);
    inside = outside;
    step = std::clamp(2 * step, -longest, longest);
  }
}

}  // namespace

LikelihoodRegion::LikelihoodRegion(LawFamily family, const LifetimeSample& sample,
                                   const LikelihoodMaximum& maximum, double drop)
    : family_{family},
      sample_{sample},
      maximum_{maximum},
      drop_{drop},
      target_{maximum.at.value - drop},
      tolerance_{std::max(1e-9 * drop, 1e-14 * std::abs(maximum.at.value))} {}

double LikelihoodRegion::end(const LawQuantity& quantity, int side) {
  const double quick = quadratic_end(quantity, side);
  if (!std::isnan(quick)) return quick;
  if (slices_.empty()) follow_border();
  if (quantity(maximum_.law).l == 0) {
    const bool is_open = side < 0 ? is_open_low_ : is_open_high_;
    return is_open ? side * kUnbounded : (side < 0 ? slices_.front() : slices_.back()).log_shape;
  }
  const auto value = [&](const Slice& slice) { return farthest(quantity, slice, side); };
  const auto best = std::ranges::max_element(slices_, {}, value);
  const bool is_first = best == slices_.begin();
  const bool is_last = best + 1 == slices_.end();
  const double most = value(*best);
  if ((is_first && is_open_low_) || (is_last && is_open_high_) || std::isinf(most))
    return side * kUnbounded;
  const double low = (is_first ? best : best - 1)->log_shape;
  const double high = (is_last ? best : best + 1)->log_shape;
  const auto missing = [&](double log_shape) { return -value(slice_at(log_shape, best->best)); };
  const double place = find_minimum(missing, low, high, 1e-5 * (high - low));
  return side * std::max(most, -missing(place));
}

double LikelihoodRegion::quadratic_end(const LawQuantity& quantity, int side) const {
  if (free_parameters(family_) == 1) {
    const int towards = quantity(maximum_.law).l > 0 ? side : -side;
    const double location = location_end(maximum_, towards);
    return std::isinf(location) ? side * kUnbounded : quantity({location, 0}).value;
  }
  const Covariance c = covariance_at(family_, maximum_.at);
  const Curved q = quantity(maximum_.law);
  const double deviation = std::sqrt(c.of(q.l, q.s));
  const double reach = std::sqrt(2 * drop_);
  const double scale = side * reach / deviation;
  const LawPoint guess{maximum_.law.location + scale * (c.ll * q.l + c.ls * q.s),
                       maximum_.law.log_shape + scale * (c.ls * q.l + c.ss * q.s)};
  const double found = polished(quantity, guess);
  // Only where the likelihood is nearly quadratic is the end near by the only one.
  constexpr double kNearlyQuadratic = 0.15;
  const double relative = side * (found - q.value) / (reach * deviation) - 1;
  return std::abs(relative) < kNearlyQuadratic ? found : kNotFound;
}

double LikelihoodRegion::polished(const LawQuantity& quantity, LawPoint law) const {
  constexpr double kLargestLog = 700;  // the shape itself is still a number above 0
  for (int i = 0; i < 20; ++i) {
    if (std::abs(law.log_shape) > kLargestLog) return kNotFound;
    const Curved f = log_likelihood(family_, law, sample_);
    const Curved q = quantity(law);
    if (!f.is_finite() || !q.is_finite()) return kNotFound;
    // On the border, where the gradients of the quantity and of the likelihood are parallel.
    const double excess = f.value - target_;
    const double cross = f.s * q.l - f.l * q.s;
    const double by_l = f.ls * q.l + f.s * q.ll - f.ll * q.s - f.l * q.ls;
    const double by_s = f.ss * q.l + f.s * q.ls - f.ls * q.s - f.l * q.ss;
    const double determinant = f.l * by_s - f.s * by_l;
    const double location = (by_s * excess - f.s * cross) / determinant;
    const double log_shape = (f.l * cross - by_l * excess) / determinant;
    if (!std::isfinite(location) || !std::isfinite(log_shape)) return kNotFound;
    law = {law.location - location, law.log_shape - log_shape};
    const double moved = std::abs(q.l * location) + std::abs(q.s * log_shape);
    if (std::abs(excess) < tolerance_ && moved < 1e-10) return quantity(law).value;
  }
  return kNotFound;
}

double LikelihoodRegion::location_end(const LikelihoodMaximum& best, int side) const {
  const double above = best.at.value - target_;
  const double step = best.at.ll < 0 ? std::sqrt(2 * above / -best.at.ll) : 1;
  const auto excess = [&](double location) {
    const double value =
        log_likelihood(family_, {location, best.law.log_shape}, sample_).value - target_;
    return value > kFarBelow ? value : kFarBelow;
  };
  return border(excess, best.law.location, side * step, kUnbounded, kFarthest);
}

LikelihoodRegion::Slice LikelihoodRegion::slice_at(double log_shape, double from) const {
  const auto best = best_location(family_, sample_, {from, log_shape});
  if (!best) return {log_shape, from, kUnbounded, -kUnbounded};
  const double location = best->law.location;
  if (best->at.value > target_)
    return {log_shape, location, location_end(*best, -1), location_end(*best, +1)};
  // At the ends of the region rounding decides whether a shape belongs to it.
  if (best->at.value > target_ - 1e-6) return {log_shape, location, location, location};
  return {log_shape, location, kUnbounded, -kUnbounded};
}

double LikelihoodRegion::shape_end(int side) const {
  double from = maximum_.law.location;
  const auto excess = [&](double log_shape) {
    const auto best = best_location(family_, sample_, {from, log_shape});
    if (!best) return kFarBelow;
    from = best->law.location;
    return best->at.value - target_;
  };
  const double deviation = std::sqrt(covariance_at(family_, maximum_.at).ss);
  const double step = std::clamp(std::sqrt(2 * drop_) * deviation, 1e-6, kLongestStep);
  return border(excess, maximum_.law.log_shape, side * step, kLongestStep, kShapeBorder);
}

void LikelihoodRegion::follow_border() {
  // From the maximum outwards, so that each search starts near its end.
  constexpr std::size_t kSide = kSlices / 2;
  const double middle = maximum_.law.log_shape;
  for (const int side : {-1, +1}) {
    const double end = shape_end(side);
    (side < 0 ? is_open_low_ : is_open_high_) = std::isinf(end);
    const double last = std::isinf(end) ? side * kShapeBorder : end;
    double from = maximum_.law.location;
    for (std::size_t i = side < 0 ? 0 : 1; i <= kSide; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(kSide);
      slices_.push_back(slice_at(middle + share * (last - middle), from));
      from = slices_.back().best;
    }
    if (side < 0) std::ranges::reverse(slices_);
  }
}

double LikelihoodRegion::farthest(const LawQuantity& quantity, const Slice& slice, int side) const {
  double most = -kUnbounded;
  if (slice.low > slice.high) return most;
  for (const double location : {slice.low, slice.high}) {
    const bool is_open = std::isinf(location);
    const Curved at = quantity({is_open ? slice.best : location, slice.log_shape});
    if (!is_open) most = std::max(most, side * at.value);
    if (is_open && at.l != 0 && (location > 0) == (side * at.l > 0)) return kUnbounded;
  }
  return most;
}

}  // namespace holdfast
