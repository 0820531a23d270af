#pragma once

#include <vector>

namespace holdfast {

/// Sorts numbers, of which none is NaN. Many take time in proportion to their count (LSD radix sort), and as much memory again.
void sort_numbers(std::vector<double>& numbers);

}  // namespace holdfast
