#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/stored.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The table of cells: what its rows have to be, and their checksums.
class CellTable {
 public:
  /// @param has_checksums  false: the file is of schema 1
  /// @param unchecked      rows up to this number were stored before there were checksums
  [[nodiscard]] static Result<CellTable> open(const Database& db, bool has_checksums,
                                              std::uint64_t unchecked);

  /// What the sums of these metrics begin with, in their order.
  [[nodiscard]] static std::vector<std::uint64_t> metric_sums(
      const std::vector<std::string>& names);
  /// Returns the checksum of a row: which cell it is (its point and strategy by what they are, not by their numbers), how
  /// it went, and who computed it. A metric that does not exist adds nothing, so that columns may be added later.
  [[nodiscard]] std::int64_t checksum(const StoredCell& cell, std::uint64_t seed, double seconds,
                                      std::uint64_t program_sum,
                                      std::span<const std::uint64_t> metric_sums) const;
  [[nodiscard]] static std::uint64_t program_sum(std::string_view version);

  /// All cells with that seed and these metrics, in the order of their rows. A row that cannot be ends it, with
  /// bad_format.
  [[nodiscard]] Status for_each(const Database& db, std::uint64_t seed,
                                const std::vector<std::string>& metrics,
                                const std::function<Status(const StoredCell&)>& visit) const;

 private:
  bool has_checksums_ = true;
  std::uint64_t unchecked_ = 0;
  // By the file's numbers less one:
  std::vector<std::uint64_t> point_sums_;
  std::vector<std::uint64_t> strategy_sums_;
  std::vector<std::uint64_t> program_sums_;
  std::vector<std::string> metrics_;  ///< all that cells may have
};

/// The name of a metric as a column in SQL.
[[nodiscard]] std::string column_name(std::string_view name);

}  // namespace holdfast
