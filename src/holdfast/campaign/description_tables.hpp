#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/stored.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// The small tables of a results file, each row checked as it is read.

/// Returns the digests of all points, in the order of their numbers in the file, which count from 1.
[[nodiscard]] Result<std::vector<PointDigest>> read_point_digests(const Database& db);
/// Returns the texts of a table of numbered texts (strategies, programs, layouts), in the order of their numbers in the file, which
/// count from 1.
[[nodiscard]] Result<std::vector<std::string>> read_texts(const Database& db,
                                                          std::string_view table,
                                                          std::string_view column);
/// Returns the strategies of the last run (at least one) in their order.
[[nodiscard]] Result<std::vector<std::string>> read_strategies(const Database& db);
/// Returns the numbers of these strategies in the file.
[[nodiscard]] Result<std::vector<std::uint32_t>> read_strategy_ids(const Database& db);
/// Returns the metrics of the last run (at least one) in their order.
[[nodiscard]] Result<std::vector<StoredMetric>> read_metrics(const Database& db);
/// Returns the names of all metrics that cells of this file have ever had.
[[nodiscard]] Result<std::vector<std::string>> read_all_metrics(const Database& db);
/// Returns all positions of the design, in order.
[[nodiscard]] Result<std::vector<StoredPosition>> read_positions(const Database& db,
                                                                 const Description& description);

}  // namespace holdfast
