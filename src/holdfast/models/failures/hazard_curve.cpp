#include "holdfast/models/failures/hazard_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {

int curve_resolution(const TabulatedLaw& law, CurveAccuracy accuracy) {
  if (!law.law().is_smooth()) return accuracy == CurveAccuracy::precise ? 6 : 4;
  // Two steps coarser is 4^6 = 4096 times less exact.
  return accuracy == CurveAccuracy::precise ? law.resolution() : law.resolution() - 2;
}

void HazardCurve::assign(const TabulatedLaw& law, const Ages& ages, double span,
                         CurveAccuracy accuracy) {
  assert(!ages.groups.empty());
  sum(law, ages.groups, span, curve_resolution(law, accuracy));
  finish();
}

// Old processors need no narrow cells: all that are 8 times older than the youngest are summed
// first, on a coarser grid, by the same rule.
void HazardCurve::sum(const TabulatedLaw& law, std::span<const AgeGroup> groups, double span,
                      int resolution) {
  constexpr double kFactor = 8;
  const double youngest = groups.front().age;
  const double limit = kFactor * std::max(youngest, std::ldexp(span, -40));
  const bool is_smooth = law.law().is_smooth();
  std::size_t young = 1;
  while (young < groups.size() && (groups[young].age < limit || !is_smooth)) ++young;

  begin(youngest, span, resolution, is_smooth);
  if (young < groups.size()) {
    sum(law, groups.subspan(young), nodes_.back(), resolution);
    close(older_);
    const double older_shift = shift_;
    begin(youngest, span, resolution, is_smooth);
    add_function([&](double x, Jet& jet) { jet = older_.jet(x + older_shift); });
  }
  for (const AgeGroup& group : groups.first(young)) {
    add(law, group.age, static_cast<double>(group.count));
  }
}

void HazardCurve::begin(double youngest, double span, int resolution, bool is_smooth) {
  assert(span > 0 && std::isfinite(span) && youngest >= 0);
  span_ = span;
  is_smooth_ = is_smooth;
  grid_ = OctaveGrid{resolution};
  if (youngest >= std::ldexp(span, -40)) {
    first_ = grid_.cell(youngest);
    shift_ = grid_.start(first_);
  } else {
    // Ages next to 0 (a platform just born): the cells follow x itself, from very small ones on.
    first_ = grid_.cell(std::ldexp(span, -48));
    shift_ = 0;
  }
  nodes_.clear();
  for (std::int64_t cell = first_;; ++cell) {
    const double x = grid_.start(cell) - shift_;
    nodes_.push_back(x);
    if (x >= span && nodes_.size() >= 2) break;
  }
  jets_.assign(nodes_.size(), Jet{});
}

void HazardCurve::add(const TabulatedLaw& law, double age, double weight) {
  const double now = law.cumulative_hazard(age);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const HazardValue value = law.at(age + nodes_[i]);
    jets_[i].value += weight * (value.cumulative - now);
    jets_[i].first += weight * value.hazard;
    jets_[i].second += weight * value.slope;
  }
}

void HazardCurve::close(OctaveTable& table) {
  if (is_smooth_) {
    table.assign(grid_, first_, jets_);
  } else {
    values_.resize(jets_.size());
    std::transform(jets_.begin(), jets_.end(), values_.begin(),
                   [](const Jet& j) { return j.value; });
    table.assign_monotone(grid_, first_, values_);
  }
}

void HazardCurve::finish() {
  close(table_);
  head_end_ = nodes_.front();
  head_ = jets_.front();
  head_exponent_ = head_.value > 0 ? head_end_ * head_.first / head_.value : 1;
  tail_start_ = nodes_.back();
}

void HazardCurve::shrink() {
  nodes_ = {};
  jets_ = {};
  values_ = {};
  older_ = {};
}

HazardValue HazardCurve::outside(double x) const {
  assert(x >= 0);
  if (x > head_end_) {
    const Jet last = table_.jet(table_.end());
    return {last.value + last.first * (x - tail_start_), last.first, 0};
  }
  if (!(head_.value > 0)) return {0, 0, 0};
  const double cumulative = head_.value * std::pow(x / head_end_, head_exponent_);
  if (x > 0) {
    const double hazard = head_exponent_ * cumulative / x;
    return {cumulative, hazard, (head_exponent_ - 1) * hazard / x};
  }
  // The exponent comes from rounded numbers: 1 and almost 1 are the same.
  const bool is_flat = std::abs(head_exponent_ - 1) < 1e-6;
  const bool is_falling = head_exponent_ < 1;
  return {0, is_flat ? head_.first : is_falling ? std::numeric_limits<double>::infinity() : 0, 0};
}

double HazardCurve::survival(double x) const {
  return std::exp(-cumulative(x));
}

double HazardCurve::inverse(double y) const {
  assert(y >= 0);
  if (y <= head_.value) {
    return y > 0 ? std::min(span_, head_end_ * std::pow(y / head_.value, 1 / head_exponent_)) : 0;
  }
  return std::min(span_, std::max(0.0, table_.inverse(y) - shift_));
}

}  // namespace holdfast
