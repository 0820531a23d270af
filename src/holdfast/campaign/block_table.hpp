#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/batch.hpp"
#include "holdfast/campaign/block.hpp"
#include "holdfast/campaign/database.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Finished cells as they are written: what they are, and who computed them.
struct BlockOrigin {
  std::uint64_t seed = 0;
  std::string_view program;                   ///< version of the program
  std::string layout;                         ///< its metrics, as layout_of() writes them
  std::size_t metrics = 0;                    ///< number of metrics
  std::span<const std::uint32_t> points;      ///< numbers in the file, by the positions in a batch
  std::span<const std::uint32_t> strategies;  ///< numbers in the file, by the positions in a batch
};

/// Returns the names of metrics as one text.
[[nodiscard]] std::string layout_of(std::span<const std::string> metrics);

/// The table of blocks in a results file. A block has a checksum over its cells, the names of their metrics, its seed and the
/// version of the program that computed it.
class BlockTable {
 public:
  /// Opens the table for reading.
  [[nodiscard]] static Result<BlockTable> open(const Database& db);

  /// Adds the cells of a batch, in blocks. The caller holds a transaction.
  [[nodiscard]] static Status append(const Database& db, const Batch& batch,
                                     const BlockOrigin& origin);

  /// Visits all cells with that seed and these metrics, in the order of their rows. They are checked by several threads, and
  /// visited by the caller's. A row with impossible values ends the visit with bad_format.
  [[nodiscard]] Status for_each(const Database& db, const BlockQuery& query,
                                const std::function<Status(const Block&)>& visit) const;

 private:
  struct Raw;
  struct Wave;
  [[nodiscard]] std::string parse(const Raw& raw, const BlockQuery& query, Block& out) const;
  Status finish(Wave& wave, const Database& db, const BlockQuery& query,
                const std::function<Status(const Block&)>& visit) const;

  BlockLimits limits_;
  // Indexed by the file's numbers minus 1.
  std::vector<std::string> programs_;
  std::vector<std::string> layouts_;
};

}  // namespace holdfast
