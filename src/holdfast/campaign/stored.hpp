#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// One position of a design as the file keeps it.
struct StoredPosition {
  std::uint32_t point = 0;  ///< the file's own number of the point
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
};

/// What a row of cells says. Numbers of point and strategy are the file's own.
struct StoredCell {
  std::int64_t row = 0;  ///< for messages
  std::uint32_t point = 0;
  std::uint32_t strategy = 0;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
  std::uint8_t flags = 0;           ///< CellFlags::kPresent ...
  std::span<const double> metrics;  ///< as asked for; NaN if there is none
};

/// Where cells come from.
struct Provenance {
  /// Versions of the programs that computed cells, in order of appearance.
  std::vector<std::string> versions;
  /// Rows of before there were checksums: damage in them is not noticed.
  std::uint64_t unchecked = 0;
};

}  // namespace holdfast
