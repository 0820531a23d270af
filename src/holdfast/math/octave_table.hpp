#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// The value and the first two derivatives of a function at a point.
struct Jet {
  double value = 0;
  double first = 0;
  double second = 0;
};

/// A division of the positive numbers into cells: 2^resolution equal ones per octave [2^e, 2^(e+1)). The cell of a number
/// follows from its leading bits, without a logarithm, a search or a branch.
class OctaveGrid {
 public:
  OctaveGrid() = default;
  /// Makes a grid.
  /// @param resolution  the binary logarithm of the number of cells per octave, from 0 to 8
  explicit OctaveGrid(int resolution) : shift_{52 - resolution} {}

  /// Returns the number of the cell that contains x. @pre x > 0
  [[nodiscard]] std::int64_t cell(double x) const {
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x) >> shift_);
  }
  /// Returns where a cell begins.
  [[nodiscard]] double start(std::int64_t cell) const {
    return std::bit_cast<double>(static_cast<std::uint64_t>(cell) << shift_);
  }
  [[nodiscard]] int resolution() const { return 52 - shift_; }

 private:
  int shift_ = 52;
};

/// A function of a positive number, interpolated on the cells of an OctaveGrid. Each cell has a quintic polynomial with the
/// function's value, slope and curvature at both ends. For a function that is smooth in ln x the relative error falls with the
/// sixth power of the cell width (about 1e-7 with 4 cells per octave, 1e-11 with 16). One evaluation costs about as much as a
/// division.
class OctaveTable {
 public:
  OctaveTable() = default;

  /// Makes the table from the function at the nodes: jets[i] belongs to node(i), i = 0..cells.
  /// @param first  the cell of the grid at which the table begins
  /// @pre at least two jets. Memory is kept between calls.
  void assign(OctaveGrid grid, std::int64_t first, std::span<const Jet> jets);

  /// Makes the table of a non-decreasing function with kinks: cubics through the values alone, non-decreasing and with a
  /// continuous slope (Fritsch and Butland 1984). @pre at least two values
  void assign_monotone(OctaveGrid grid, std::int64_t first, std::span<const double> values);

  /// Return the two ends of the table, and its number of cells.
  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return end_; }
  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] bool is_empty() const { return cells_.empty(); }
  /// Returns true if begin() <= x <= end(); false for an empty table.
  [[nodiscard]] bool covers(double x) const { return x >= begin_ && x <= end_; }
  [[nodiscard]] const OctaveGrid& grid() const { return grid_; }

  /// Return the value at x, and the value with its derivatives. @pre begin() <= x <= end()
  [[nodiscard]] double value(double x) const;
  [[nodiscard]] Jet jet(double x) const;

  /// Returns the x at which an increasing function has this value, with a relative error of 1e-14; begin() or end() if the
  /// value lies outside the table.
  [[nodiscard]] double inverse(double y) const;

 private:
  /// One cell, in one cache line: the polynomial in v = (x - start) / width.
  struct alignas(64) Cell {
    double start;
    double inverse_width;
    std::array<double, 6> c;
  };
  [[nodiscard]] const Cell& cell_of(double x) const;
  void prepare(OctaveGrid grid, std::int64_t first, std::size_t nodes);

  OctaveGrid grid_;
  std::int64_t first_ = 0;
  double begin_ = 1;  // an empty table covers nothing
  double end_ = 0;
  std::vector<Cell> cells_;
};

inline const OctaveTable::Cell& OctaveTable::cell_of(double x) const {
  assert(covers(x));
  const auto index = static_cast<std::size_t>(grid_.cell(x) - first_);
  // x = end() belongs to the last.
  return cells_[index < cells_.size() ? index : cells_.size() - 1];
}

inline double OctaveTable::value(double x) const {
  const Cell& cell = cell_of(x);
  const double v = (x - cell.start) * cell.inverse_width;
  const auto& c = cell.c;
  return c[0] + v * (c[1] + v * (c[2] + v * (c[3] + v * (c[4] + v * c[5]))));
}

inline Jet OctaveTable::jet(double x) const {
  const Cell& cell = cell_of(x);
  const double v = (x - cell.start) * cell.inverse_width;
  const auto& c = cell.c;
  const double value = c[0] + v * (c[1] + v * (c[2] + v * (c[3] + v * (c[4] + v * c[5]))));
  const double first = c[1] + v * (2 * c[2] + v * (3 * c[3] + v * (4 * c[4] + v * (5 * c[5]))));
  const double second = 2 * c[2] + v * (6 * c[3] + v * (12 * c[4] + v * (20 * c[5])));
  return {value, first * cell.inverse_width, second * cell.inverse_width * cell.inverse_width};
}

}  // namespace holdfast
