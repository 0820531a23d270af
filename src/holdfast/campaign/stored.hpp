#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// One position of a design as it is stored in the file.
struct StoredPosition {
  std::uint32_t point = 0;  ///< number of the point in the file
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
};

/// The contents of a row of cells. Point and strategy are numbers in the file.
struct StoredCell {
  std::int64_t row = 0;  ///< number of the row, for messages
  std::uint32_t point = 0;
  std::uint32_t strategy = 0;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
  std::uint8_t flags = 0;           ///< CellFlags::kPresent ...
  std::span<const double> metrics;  ///< the metrics asked for; NaN for a metric without a value
};

/// The origin of the cells of a file.
struct Provenance {
  /// Versions of the programs that computed the cells, in order of appearance.
  std::vector<std::string> versions;
  /// Number of rows that were stored before there were checksums; damage in them is not detected.
  std::uint64_t unchecked = 0;
};

}  // namespace holdfast
