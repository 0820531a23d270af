#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace holdfast {

enum class ExportFormat : std::uint8_t { csv, json };

/// "csv" or "json"; `where` places the error.
[[nodiscard]] Result<ExportFormat> parse_export_format(std::string_view text,
                                                       std::string_view where);

/// Writes results.csv or results.json into the results' directory, as a whole or not at all, and
/// returns its path.
///
/// One row per cell and metric in the order of the design: each swept parameter (as the campaign
/// file writes it, a table or list as JSON), instance, scenario, strategy, metric, unit, value,
/// completed (0: counted in `failed`). Cells that are not finished and metrics that do not exist
/// have no row. Neither times nor the host are in it: the same campaign gives the same bytes,
/// however it was run.
[[nodiscard]] Result<std::filesystem::path> export_results(const Results& results,
                                                           ExportFormat format);

}  // namespace holdfast
