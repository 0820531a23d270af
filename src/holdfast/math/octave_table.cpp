#include "holdfast/math/octave_table.hpp"

namespace holdfast {

void OctaveTable::assign(OctaveGrid grid, std::int64_t first, std::span<const Jet> jets) {
  assert(jets.size() >= 2);
  grid_ = grid;
  first_ = first;
  begin_ = grid.start(first);
  end_ = grid.start(first + static_cast<std::int64_t>(jets.size()) - 1);
  cells_.resize(jets.size() - 1);
  double start = begin_;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const double end = grid.start(first + static_cast<std::int64_t>(i) + 1);
    const double width = end - start;
    const Jet& left = jets[i];
    const Jet& right = jets[i + 1];
    // What the Taylor polynomial of the left end misses at the right end, in units of the cell.
    const double d0 = left.first * width;
    const double s0 = left.second * width * width;
    const double value = right.value - left.value - d0 - 0.5 * s0;
    const double first_gap = right.first * width - d0 - s0;
    const double second_gap = right.second * width * width - s0;
    cells_[i] = {
        start,
        1 / width,
        {left.value, d0, 0.5 * s0, 10 * value - 4 * first_gap + 0.5 * second_gap,
         -15 * value + 7 * first_gap - second_gap, 6 * value - 3 * first_gap + 0.5 * second_gap}};
    start = end;
  }
}

}  // namespace holdfast
