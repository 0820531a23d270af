#include "holdfast/models/failures/fit_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace holdfast {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kNotFound = std::numeric_limits<double>::quiet_NaN();
constexpr double kShapeBorder = 13.8;  // ln 1e6
constexpr std::size_t kSlices = 33;
constexpr double kGoldenShare = 0.6180339887498949;

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
    const Slice& last = side < 0 ? slices_.front() : slices_.back();
    return is_open ? side * kUnbounded : quantity({last.best, last.log_shape}).value;
  }
  std::size_t at = 0;
  double most = -kUnbounded;
  LawPoint law;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    LawPoint here;
    const double value = value_of(quantity, slices_[i], side, here);
    if (!(value > most)) continue;
    std::tie(at, most, law) = std::tuple(i, value, here);
  }
  const bool is_at_end = (at == 0 && is_open_low_) || (at + 1 == slices_.size() && is_open_high_);
  if (is_at_end || std::isinf(most)) return side * kUnbounded;
  // Golden section between the neighbours, then Newton's method.
  double low = slices_[at == 0 ? 0 : at - 1].log_shape;
  double high = slices_[std::min(at + 1, slices_.size() - 1)].log_shape;
  std::array<double, 2> inner = {high - kGoldenShare * (high - low),
                                 low + kGoldenShare * (high - low)};
  std::array<double, 2> found{};
  const auto measure = [&](double log_shape) {
    LawPoint here;
    const double value = value_of(quantity, slice_at(log_shape, slices_[at].best), side, here);
    if (value > most) std::tie(most, law) = std::tuple(value, here);
    return value;
  };
  for (std::size_t i = 0; i < 2; ++i) found[i] = measure(inner[i]);
  for (int i = 0; i < 24; ++i) {
    if (found[0] > found[1]) {
      high = inner[1];
      inner = {high - kGoldenShare * (high - low), inner[0]};
      found = {measure(inner[0]), found[0]};
    } else {
      low = inner[0];
      inner = {inner[1], low + kGoldenShare * (high - low)};
      found = {found[1], measure(inner[1])};
    }
  }
  const double exact = polished(quantity, law);
  const bool is_near = std::abs(side * exact - most) < 1e-3 * (1 + std::abs(most));
  return is_near ? std::max(side * exact, most) * side : side * most;
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
  for (int i = 0; i < 20; ++i) {
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
  double inside = best.law.location;
  double step = best.at.ll < 0 ? std::sqrt(2 * (best.at.value - target_) / -best.at.ll) : 1;
  if (!(step > 0)) return inside;
  const auto likelihood = [&](double location) {
    return log_likelihood(family_, {location, best.law.log_shape}, sample_);
  };
  double outside = inside + side * step;
  Curved at = likelihood(outside);
  for (int i = 0; at.is_finite() && at.value > target_; ++i) {
    if (i == 60) return side * kUnbounded;
    inside = outside;
    step *= 2;
    outside += side * step;
    at = likelihood(outside);
  }
  double here = outside;
  for (int i = 0; i < 200; ++i) {
    if (at.is_finite() && std::abs(at.value - target_) < tolerance_) break;
    double next = here - (at.value - target_) / at.l;
    const bool is_between = at.is_finite() && (next - inside) * (next - outside) < 0;
    if (!is_between) next = 0.5 * (inside + outside);
    if (next == inside || next == outside) break;
    here = next;
    at = likelihood(here);
    (at.is_finite() && at.value > target_ ? inside : outside) = here;
  }
  return here;
}

LikelihoodRegion::Slice LikelihoodRegion::slice_at(double log_shape, double from) const {
  const auto best = best_location(family_, sample_, {from, log_shape});
  if (!best) return {log_shape, from, from, from};
  const double location = best->law.location;
  if (!(best->at.value > target_)) return {log_shape, location, location, location};
  return {log_shape, location, location_end(*best, -1), location_end(*best, +1)};
}

LikelihoodMaximum LikelihoodRegion::shape_end(int side, bool& out_is_open) const {
  LikelihoodMaximum inside = maximum_;
  const Covariance c = covariance_at(family_, maximum_.at);
  double step = std::clamp(std::sqrt(2 * drop_ * c.ss), 1e-6, 0.5);
  double outside = 0;
  for (;;) {
    outside = std::clamp(inside.law.log_shape + side * step, -kShapeBorder, kShapeBorder);
    const auto found = best_location(family_, sample_, {inside.law.location, outside});
    if (!found || !(found->at.value > target_)) break;
    inside = *found;
    out_is_open = std::abs(outside) == kShapeBorder;
    if (out_is_open) return inside;
    step = std::min(2 * step, 0.5);
  }
  for (int i = 0; i < 100; ++i) {
    // The signed root of twice the drop is nearly linear in the shape.
    const double root = std::sqrt(2 * std::max(0.0, maximum_.at.value - inside.at.value));
    const double slope = root > 0 ? -side * inside.at.s / root : 0;
    const double log_shape = inside.law.log_shape;
    double next = slope > 0 ? log_shape + side * (std::sqrt(2 * drop_) - root) / slope : outside;
    if (!((next - log_shape) * (next - outside) < 0)) next = 0.5 * (log_shape + outside);
    const auto found = best_location(family_, sample_, {inside.law.location, next});
    if (found && std::abs(found->at.value - target_) < tolerance_) return *found;
    if (found && found->at.value > target_) {
      inside = *found;
    } else {
      outside = next;
    }
    if (std::abs(outside - inside.law.log_shape) < 1e-14) break;
  }
  return inside;
}

void LikelihoodRegion::follow_border() {
  const double low = shape_end(-1, is_open_low_).law.log_shape;
  const double high = shape_end(+1, is_open_high_).law.log_shape;
  const double middle = std::clamp(maximum_.law.log_shape, low, high);
  double from = maximum_.law.location;
  // From the maximum outwards, so that each search starts near its end.
  constexpr std::size_t kSide = kSlices / 2;
  for (std::size_t i = 0; i <= kSide; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kSide);
    slices_.push_back(slice_at(middle + share * (low - middle), from));
    from = slices_.back().best;
  }
  std::ranges::reverse(slices_);
  from = maximum_.law.location;
  for (std::size_t i = 1; i <= kSide; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kSide);
    slices_.push_back(slice_at(middle + share * (high - middle), from));
    from = slices_.back().best;
  }
}

double LikelihoodRegion::value_of(const LawQuantity& quantity, const Slice& slice, int side,
                                  LawPoint& out_law) const {
  double most = -kUnbounded;
  for (const double location : {slice.low, slice.high}) {
    if (std::isinf(location)) {
      const double slope = quantity({slice.best, slice.log_shape}).l;
      if (slope != 0 && (location > 0) == (side * slope > 0)) return kUnbounded;
      continue;
    }
    const LawPoint law{location, slice.log_shape};
    const double value = side * quantity(law).value;
    if (value > most) std::tie(most, out_law) = std::tuple(value, law);
  }
  return most;
}

}  // namespace holdfast
