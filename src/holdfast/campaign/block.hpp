#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct Batch;

/// Finished cells as columns, with one entry per cell. Points and strategies are numbers in the file. This is what a row of the
/// table blocks holds; a row of the table cells, which earlier versions wrote, is a block of one cell.
struct Block {
  std::string_view table = "blocks";
  std::int64_t row = 0;       ///< number of the row, for messages
  std::int64_t checksum = 0;  ///< that of the row; 0 in the table cells
  std::vector<std::uint64_t> points;
  std::vector<std::uint64_t> strategies;
  std::vector<std::uint64_t> instances;
  std::vector<std::uint64_t> scenarios;
  std::vector<std::uint8_t> flags;  ///< CellFlags::kPresent ...
  /// A column per metric asked for, with NaN where there is no value; then the wall times in seconds, if they are asked for.
  std::vector<std::vector<double>> metrics;

  [[nodiscard]] std::size_t size() const { return flags.size(); }
  void resize(std::size_t cells);
};

/// Which cells are read, and what of them.
struct BlockQuery {
  std::uint64_t seed = 0;
  std::vector<std::string> metrics = {};
  bool wants_seconds = false;
  bool only_checks =
      false;             ///< true: blocks are compared with their checksums, and have no columns
  unsigned threads = 0;  ///< that check them; 0: as many as there are cores
};

/// The largest number of cells of a block.
inline constexpr std::size_t kMostBlockCells = 65536;

/// Writes cells `begin` to `end` of a batch as bytes: each column in as many bytes per cell as its numbers need.
/// @param points, strategies  their numbers in the file, by the positions that the batch has
[[nodiscard]] std::string block_bytes(const Batch& batch, std::size_t begin, std::size_t end,
                                      std::size_t metrics, std::span<const std::uint32_t> points,
                                      std::span<const std::uint32_t> strategies);

/// Which numbers the cells of a file may have.
struct BlockLimits {
  std::uint64_t points = 0;      ///< numbers of points are 1 to this
  std::uint64_t strategies = 0;  ///< numbers of strategies are 1 to this
};

/// Reads the bytes of a block of that many cells.
/// @param columns  for each metric in the bytes, and then the wall times, the column in `out.metrics`; nothing if it is not asked
///                 for
/// @pre out.metrics has all columns that are asked for
/// @return what is wrong with the bytes; empty if nothing is
[[nodiscard]] std::string parse_block(std::string_view bytes, std::size_t cells,
                                      const BlockLimits& limits,
                                      std::span<const std::optional<std::size_t>> columns,
                                      Block& out);

}  // namespace holdfast
