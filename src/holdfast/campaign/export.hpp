#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/parameter.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace holdfast {

enum class ExportFormat : std::uint8_t { csv, json, sqlite };

/// Returns the format named "csv", "json" or "sqlite", or an error placed at `where`.
[[nodiscard]] Result<ExportFormat> parse_export_format(std::string_view text,
                                                       std::string_view where);

/// Writes results.csv, results.json or cells.sqlite into the results' directory, completely or not at all, and returns its path.
///
/// A database is for SQL: it has a row per cell (export_sqlite.hpp). In the others there is one row per cell and metric, in the order of the design: the swept parameters as typed columns (typed_columns.hpp:
/// "10d" is 864000 in the column platform_age_s), instance, scenario, strategy, metric, unit, value, completed (0: counted in
/// `failed`). Unfinished cells and metrics without a value have no row. The file contains neither times nor the host name: the
/// same campaign gives the same bytes, however it was run.
/// @param fields  the domain's fields, which give the units of bare numbers; if empty, such columns have no unit
[[nodiscard]] Result<std::filesystem::path> export_results(const Results& results,
                                                           ExportFormat format,
                                                           std::span<const Parameter> fields = {});

}  // namespace holdfast
