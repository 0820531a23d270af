#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/block.hpp"
#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/stored.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The table of cells, of which schemas 1 and 2 had a row each. It checks rows by their checksums; nothing adds to it.
class CellTable {
 public:
  /// Opens the table.
  /// @param schema     that of the file; schema 1 has no checksums
  /// @param unchecked  number of the last row that was stored without a checksum
  [[nodiscard]] static Result<CellTable> open(const Database& db, int schema,
                                              std::uint64_t unchecked);

  /// Returns the start value of the checksum of each metric, in their order.
  [[nodiscard]] static std::vector<std::uint64_t> metric_sums(
      const std::vector<std::string>& names);
  /// Returns the checksum of a row: the cell's name (with definitions of point and strategy instead of their numbers), its
  /// outcome, and the program that computed it. A metric without a value adds nothing, so that columns can be added later.
  [[nodiscard]] std::int64_t checksum(const StoredCell& cell, std::uint64_t seed, double seconds,
                                      std::uint64_t program_sum,
                                      std::span<const std::uint64_t> metric_sums) const;
  [[nodiscard]] static std::uint64_t program_sum(std::string_view version);

  /// Visits all cells with that seed and these metrics as blocks of one, in the order of their rows. A row with impossible values
  /// ends the visit with bad_format.
  [[nodiscard]] Status for_each(const Database& db, const BlockQuery& query,
                                const std::function<Status(const Block&)>& visit) const;

 private:
  bool has_checksums_ = true;
  std::uint64_t unchecked_ = 0;
  // The following lists are indexed by the file's numbers minus 1.
  std::vector<std::uint64_t> point_sums_;
  std::vector<std::uint64_t> strategy_sums_;
  std::vector<std::uint64_t> program_sums_;
  std::vector<std::string> metrics_;  ///< all metrics that these cells may have
};

/// Returns the name of a metric's column in SQL.
[[nodiscard]] std::string column_name(std::string_view name);

}  // namespace holdfast
