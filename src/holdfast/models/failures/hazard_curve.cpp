#include "holdfast/models/failures/hazard_curve.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {

int curve_resolution(const TabulatedLaw& law, CurveAccuracy accuracy) {
  if (!law.law().is_smooth()) return accuracy == CurveAccuracy::precise ? 6 : 4;
  // A grid that is two steps coarser is 4^6 = 4096 times less exact.
  return accuracy == CurveAccuracy::precise ? law.resolution() : law.resolution() - 2;
}

void HazardCurve::assign(const TabulatedLaw& law, const Ages& ages, double span,
                         CurveAccuracy accuracy) {
  terms_.clear();
  for (const AgeGroup& group : ages.groups) {
    terms_.push_back({.age = group.age, .weight = static_cast<double>(group.count)});
  }
  assign(law, terms_, span, accuracy);
}

void HazardCurve::assign(const TabulatedLaw& law, std::span<const HazardTerm> terms, double span,
                         CurveAccuracy accuracy) {
  assert(!terms.empty() && span > 0 && std::isfinite(span));
  is_smooth_ = law.law().is_smooth();
  // Six cells of the law's own table, whose quintics have an error of 1e-10.
  smooth_part_ = std::min(0.5, std::ldexp(4.5, -curve_resolution(law, CurveAccuracy::precise)));
  nothing_ = std::ldexp(std::min(span, law.mean()), -40);
  sum(law, terms, span, curve_resolution(law, accuracy));
  close(table_);
  span_ = span;
  head_end_ = nodes_.front();
  head_ = jets_.front();
  head_exponent_ = head_.value > 0 ? head_end_ * head_.first / head_.value : 1;
  tail_start_ = nodes_.back();
}

// Sums the terms. Old processors need no narrow cells: all that are at least 8 times older than the youngest are summed first,
// on a coarser grid, by the same rule.
void HazardCurve::sum(const TabulatedLaw& law, std::span<const HazardTerm> terms, double span,
                      int resolution) {
  constexpr double kFactor = 8;
  const double youngest = terms.front().age;
  const double limit = kFactor * std::max(youngest, nothing_);
  std::size_t young = 1;
  while (young < terms.size() && (terms[young].age < limit || !is_smooth_)) ++young;

  place_nodes(youngest, span, resolution);
  if (young < terms.size()) {
    sum(law, terms.subspan(young), nodes_.back(), resolution);
    close(older_);
    const double older_shift = shift_;
    place_nodes(youngest, span, resolution);
    for (std::size_t i = 0; i < nodes_.size(); ++i) jets_[i] = older_.jet(nodes_[i] + older_shift);
  }
  for (const HazardTerm& term : terms.first(young)) add(law, term);
}

void HazardCurve::place_nodes(double youngest, double span, int resolution) {
  assert(youngest >= 0);
  grid_ = OctaveGrid{resolution};
  if (youngest >= nothing_) {
    first_ = grid_.cell(youngest);
    shift_ = grid_.start(first_);
  } else {
    // Ages next to 0 (a platform that is just new): the cells follow x itself, starting with very small ones.
    first_ = grid_.cell(std::ldexp(nothing_, -8));
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

void HazardCurve::add(const TabulatedLaw& law, const HazardTerm& term) {
  const double weight = term.weight;
  const double now =
      term.curve ? term.curve->cumulative(term.lag) : law.cumulative_hazard(term.age);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double x = nodes_[i];
    const HazardValue value = term.curve ? term.curve->at(term.lag + x) : law.at(term.age + x);
    jets_[i].value += weight * (value.cumulative - now);
    jets_[i].first += weight * value.hazard;
    jets_[i].second += weight * value.slope;
  }
}

void HazardCurve::close(OctaveTable& table) {
  // Nobody survives there, and no later difference may become a NaN.
  constexpr double kCertain = 1e200;
  for (Jet& jet : jets_) {
    const bool is_sane = jet.value < kCertain && std::isfinite(jet.first + jet.second);
    if (!is_sane) jet = {kCertain, 0, 0};
  }
  if (is_smooth_) {
    table.assign(grid_, first_, jets_);
  } else {
    values_.resize(jets_.size());
    std::transform(jets_.begin(), jets_.end(), values_.begin(),
                   [](const Jet& j) { return j.value; });
    table.assign_monotone(grid_, first_, values_);
  }
}

void HazardCurve::shrink() {
  nodes_ = {};
  jets_ = {};
  values_ = {};
  terms_ = {};
  older_ = {};
}

HazardValue HazardCurve::outside(double x) const {
  assert(x >= 0);
  if (x > head_end_) {
    const Jet last = table_.jet(table_.end());
    return {last.value + last.first * (x - tail_start_), last.first, 0};
  }
  if (!(head_.value > 0)) return {0, 0, 0};
  const double cumulative = head_.value * elementary::pow(x / head_end_, head_exponent_);
  if (x > 0) {
    const double hazard = head_exponent_ * cumulative / x;
    return {cumulative, hazard, (head_exponent_ - 1) * hazard / x};
  }
  // The exponent comes from rounded numbers, so a value close to 1 counts as 1.
  const bool is_flat = std::abs(head_exponent_ - 1) < 1e-6;
  const bool is_falling = head_exponent_ < 1;
  return {0, is_flat ? head_.first : is_falling ? std::numeric_limits<double>::infinity() : 0, 0};
}

double HazardCurve::survival(double x) const {
  return elementary::exp(-cumulative(x));
}

double HazardCurve::inverse(double y) const {
  assert(y >= 0);
  if (y <= head_.value) {
    return y > 0 ? std::min(span_, head_end_ * elementary::pow(y / head_.value, 1 / head_exponent_))
                 : 0;
  }
  return std::min(span_, std::max(0.0, table_.inverse(y) - shift_));
}

}  // namespace holdfast
