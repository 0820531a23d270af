#pragma once

#include "holdfast/kernel/statistics.hpp"

#include <cstddef>
#include <functional>
#include <optional>

namespace holdfast {

/// Returns what Values::summary() does, to the last bit, of values that are asked for again and again in place of being kept: once for
/// the moments, and four times for the quantiles, of which each time 16 more bits become known.
/// @param value_of  the value of each number below `count`, finite, if it has one; always the same
[[nodiscard]] std::optional<Summary> summarize_many(
    std::size_t count, const std::function<std::optional<double>(std::size_t)>& value_of);

}  // namespace holdfast
