#pragma once

#include <chrono>
#include <cstddef>

namespace holdfast {

/// Cells are handed on when so many wait, whatever the time.
inline constexpr std::size_t kManyCells = 8192;

/// How often ranks look for messages while they have nothing better to do.
inline constexpr auto kLook = std::chrono::milliseconds(2);

}  // namespace holdfast
