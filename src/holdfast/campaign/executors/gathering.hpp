#pragma once

#include <chrono>
#include <cstddef>

namespace holdfast {

/// The number of waiting cells at which they are handed on at once.
inline constexpr std::size_t kManyCells = 8192;

/// The interval at which idle ranks look for messages.
inline constexpr auto kLook = std::chrono::milliseconds(2);

}  // namespace holdfast
