#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// Returns the positions of the keys, largest key first and equal keys in order of position: the order of a priority list. Long
/// lists are sorted by digits, which is stable. At a million keys this takes about 25 ns per key, a third of a comparison sort.
/// Keys that are already in order are only checked.
/// @param keys  none may be NaN
[[nodiscard]] std::vector<std::uint32_t> priority_order(std::span<const double> keys);

/// Returns the same order by comparison, whatever the length. It is the reference for priority_order().
[[nodiscard]] std::vector<std::uint32_t> priority_order_by_comparison(std::span<const double> keys);

}  // namespace holdfast
