#include "holdfast/math/octave_table.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast {

void OctaveTable::prepare(OctaveGrid grid, std::int64_t first, std::size_t nodes) {
  assert(nodes >= 2);
  grid_ = grid;
  first_ = first;
  cells_.resize(nodes - 1);
  double start = grid.start(first);
  begin_ = start;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const double end = grid.start(first + static_cast<std::int64_t>(i) + 1);
    cells_[i].start = start;
    cells_[i].inverse_width = 1 / (end - start);
    start = end;
  }
  end_ = start;
}

void OctaveTable::assign(OctaveGrid grid, std::int64_t first, std::span<const Jet> jets) {
  prepare(grid, first, jets.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const double width = 1 / cells_[i].inverse_width;
    const Jet& left = jets[i];
    const Jet& right = jets[i + 1];
    // The error of the Taylor polynomial of the left end at the right end, in units of the cell.
    const double d0 = left.first * width;
    const double s0 = left.second * width * width;
    const double value = right.value - left.value - d0 - 0.5 * s0;
    const double first_gap = right.first * width - d0 - s0;
    const double second_gap = right.second * width * width - s0;
    cells_[i].c = {left.value,
                   d0,
                   0.5 * s0,
                   10 * value - 4 * first_gap + 0.5 * second_gap,
                   -15 * value + 7 * first_gap - second_gap,
                   6 * value - 3 * first_gap + 0.5 * second_gap};
  }
}

void OctaveTable::assign_monotone(OctaveGrid grid, std::int64_t first,
                                  std::span<const double> values) {
  prepare(grid, first, values.size());
  const auto secant = [&](std::size_t i) {
    return (values[i + 1] - values[i]) * cells_[i].inverse_width;
  };
  // The slope between cells of slopes a and b is their weighted harmonic mean, at most three times the smaller one.
  const auto slope = [&](std::size_t node) {
    if (node == 0) return secant(0);
    if (node == cells_.size()) return secant(node - 1);
    const double a = secant(node - 1);
    const double b = secant(node);
    if (!(a > 0 && b > 0)) return 0.0;
    const double weight = (1 + cells_[node].inverse_width /
                                   (cells_[node].inverse_width + cells_[node - 1].inverse_width)) /
                          3;
    return a * b / (weight * b + (1 - weight) * a);
  };
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const double rise = values[i + 1] - values[i];
    const double left = slope(i) / cells_[i].inverse_width;
    const double right = slope(i + 1) / cells_[i].inverse_width;
    cells_[i].c = {values[i], left, 3 * rise - 2 * left - right, left + right - 2 * rise, 0, 0};
  }
}

double OctaveTable::inverse(double y) const {
  assert(!is_empty());
  const auto next =
      std::upper_bound(cells_.begin() + 1, cells_.end(), y,
                       [](double value, const Cell& cell) { return value < cell.c[0]; });
  const Cell& cell = *(next - 1);
  if (y <= cell.c[0]) return cell.start;
  // Newton's method inside the cell, kept in a bracket that shrinks at every step.
  double low = 0;
  double high = 1;
  double v = 0.5;
  const auto& c = cell.c;
  if (y >= c[0] + c[1] + c[2] + c[3] + c[4] + c[5]) {
    return &cell == &cells_.back() ? end_ : (&cell + 1)->start;
  }
  for (int step = 0; step < 100; ++step) {
    const double value = c[0] + v * (c[1] + v * (c[2] + v * (c[3] + v * (c[4] + v * c[5]))));
    const double slope = c[1] + v * (2 * c[2] + v * (3 * c[3] + v * (4 * c[4] + v * 5 * c[5])));
    (value < y ? low : high) = v;
    double after = v - (value - y) / slope;
    if (!(after > low && after < high)) after = 0.5 * (low + high);
    const bool is_done = std::abs(after - v) <= 1e-14;
    v = after;
    if (is_done) break;
  }
  return std::min(cell.start + v / cell.inverse_width, end_);
}

}  // namespace holdfast
