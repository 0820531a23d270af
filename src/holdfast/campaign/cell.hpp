#pragma once

#include <cstdint>

namespace holdfast {

/// The name of a cell of a campaign. Two points of the design with the same definition are one point here, and run once.
struct CellKey {
  std::uint32_t point = 0;
  std::uint32_t strategy = 0;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
};

/// The bits of a cell's flags.
struct CellFlags {
  static constexpr std::uint8_t kPresent = 1;
  static constexpr std::uint8_t kCompleted = 2;
  static constexpr std::uint8_t kInStatistics = 4;
  /// A run that completed.
  static constexpr std::uint8_t kDone = kPresent | kCompleted | kInStatistics;
};

}  // namespace holdfast
