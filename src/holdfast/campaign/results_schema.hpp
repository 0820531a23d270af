#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/database.hpp"

#include <cstdint>

namespace holdfast {

// The properties of a results file: its mark, the tables that it must have, and the conversion of older schemas.

/// The current schema: cells in blocks. Schema 2 had a row per cell; schema 1 had neither checksums nor programs.
inline constexpr int kResultsSchema = 3;
inline constexpr int kLastSchemaOfCells = 2;

/// Returns the schema of a results file. It refuses files of other programs, of newer versions, and files whose tables are not
/// plain tables.
/// @param may_be_new  true: a file without any table has the current schema
[[nodiscard]] Result<int> read_schema(const Database& db, bool may_be_new);
/// Makes the tables of a new file, and the tables that an older file lacks.
[[nodiscard]] Status bring_to_schema(const Database& db, int schema);
/// Returns whether the file has the table cells, with the rows that older versions stored.
[[nodiscard]] Result<bool> has_old_cells(const Database& db);
/// Returns the number of the last row that was stored before there were checksums.
[[nodiscard]] Result<std::uint64_t> unchecked_rows(const Database& db, int schema);

}  // namespace holdfast
