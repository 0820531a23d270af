#include "holdfast/pages/grouped_cells.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/pages/gain.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace holdfast {
namespace {

std::size_t size_of(const Dimension* dimension) {
  return dimension == nullptr ? 1 : dimension->labels.size();
}

std::size_t label_of(const Dimension* dimension, std::size_t position, std::size_t strategy) {
  return dimension == nullptr ? 0 : dimension->label_of(position, strategy);
}

}  // namespace

GroupedCells::GroupedCells(const Dimension* x, const Dimension& series, const Dimension* facet,
                           const StoredMetric* gains_in)
    : x_(x),
      series_(&series),
      facet_(facet),
      gains_in_(gains_in),
      groups_(size_of(x) * size_of(&series) * size_of(facet)) {}

std::size_t GroupedCells::group_of(std::size_t position, std::size_t strategy) const {
  const std::size_t facet = label_of(facet_, position, strategy);
  const std::size_t x = label_of(x_, position, strategy);
  return (facet * size_of(x_) + x) * size_of(series_) + series_->label_of(position, strategy);
}

double GroupedCells::shown(double value) const {
  return gains_in_ != nullptr ? 100 * gain(*gains_in_, value) : value;
}

double GroupedCells::center_of(double mean) const {
  return gains_in_ != nullptr ? shown(elementary::exp(mean)) : mean;
}

void GroupedCells::add(std::size_t group, std::size_t draw, double value) {
  Group& to = groups_[group];
  to.mean.add(draw, gains_in_ != nullptr ? elementary::log(value) : value);
  if (to.count++ % every_ != 0) return;
  to.values.push_back(shown(value));
  constexpr std::uint64_t kMost = std::uint64_t{1} << 21;
  constexpr std::uint64_t kLeastOfGroup = 64;
  if (++kept_ > std::max(kMost, kLeastOfGroup * groups_.size())) keep_half();
}

void GroupedCells::keep_half() {
  kept_ = 0;
  every_ *= 2;
  for (Group& group : groups_) {
    for (std::size_t i = 1; 2 * i < group.values.size(); ++i) group.values[i] = group.values[2 * i];
    group.values.resize((group.values.size() + 1) / 2);
    kept_ += group.values.size();
  }
}

std::vector<ChartGroup> GroupedCells::statistics(double unit) {
  std::vector<ChartGroup> out;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    if (group.values.empty()) continue;
    ChartGroup row;
    row.series = i % size_of(series_);
    row.x = i / size_of(series_) % size_of(x_);
    row.facet = i / size_of(series_) / size_of(x_);
    row.count = static_cast<double>(group.count);
    row.center = center_of(group.mean.mean()) / unit;
    if (const auto interval = group.mean.interval()) {
      std::tie(row.low, row.high) =
          std::minmax({center_of((*interval)[0]) / unit, center_of((*interval)[1]) / unit});
    }
    const auto quantiles = usual_quantiles(group.values);
    row.p10 = quantiles[0] / unit;
    row.p25 = quantiles[1] / unit;
    row.median = quantiles[2] / unit;
    row.p75 = quantiles[3] / unit;
    row.p90 = quantiles[4] / unit;
    out.push_back(row);
  }
  return out;
}

const Dimension* GroupedCells::panels() const {
  return x_ != nullptr && x_->is_strategy ? x_ : facet_;
}

std::vector<double> GroupedCells::values_of(std::size_t panel, std::size_t series) const {
  std::vector<double> out;
  for (std::size_t i = series; i < groups_.size(); i += size_of(series_)) {
    const std::size_t place = i / size_of(series_);
    if ((panels() == x_ ? place % size_of(x_) : place / size_of(x_)) != panel) continue;
    out.insert(out.end(), groups_[i].values.begin(), groups_[i].values.end());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<CurvePoint> GroupedCells::curves(double unit, std::size_t most) const {
  std::vector<CurvePoint> out;
  for (std::size_t panel = 0; panel < size_of(panels()); ++panel) {
    for (std::size_t series = 0; series < size_of(series_); ++series) {
      const std::vector<double> values = values_of(panel, series);
      if (values.empty()) continue;
      const std::size_t steps = std::min(values.size(), most);
      out.push_back({panel, series, values.front() / unit, 0});
      for (std::size_t i = 1; i <= steps; ++i) {
        const std::size_t rank = values.size() * i / steps;  // from 1
        out.push_back({panel, series, values[rank - 1] / unit,
                       static_cast<double>(rank) / static_cast<double>(values.size())});
      }
    }
  }
  return out;
}

double GroupedCells::largest() const {
  double largest = 0;
  for (const Group& group : groups_) {
    if (group.values.empty()) continue;
    largest = std::max(largest, std::abs(center_of(group.mean.mean())));
  }
  return largest;
}

}  // namespace holdfast
