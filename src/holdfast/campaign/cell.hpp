#pragma once

#include <cstdint>

namespace holdfast {

/// Which cell of a campaign. A point here is a distinct definition: two points of the design that
/// come to the same are one, and run once.
struct CellKey {
  std::uint32_t point = 0;
  std::uint32_t strategy = 0;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
};

/// What the flags of a cell may hold.
struct CellFlags {
  static constexpr std::uint8_t kPresent = 1;
  static constexpr std::uint8_t kCompleted = 2;
  static constexpr std::uint8_t kInStatistics = 4;
};

}  // namespace holdfast
