#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/database.hpp"

#include <cstdint>

namespace holdfast {

// What makes a database a results file: its mark, the tables it has to have, and how one of an older schema becomes one of
// today's.

/// Schema 1 had neither checksums nor programs.
inline constexpr int kResultsSchema = 2;

/// Returns the schema of a results file; refuses files of other programs, of newer ones, and such that have no plain tables.
/// @param may_be_new  a file without any table is one of today's
[[nodiscard]] Result<int> read_schema(const Database& db, bool may_be_new);
/// Makes the tables of a new file, and those that a file of that schema lacks.
[[nodiscard]] Status bring_to_schema(const Database& db, int schema);
/// Returns the rows that were stored before there were checksums: those up to this number.
[[nodiscard]] Result<std::uint64_t> unchecked_rows(const Database& db, int schema);

}  // namespace holdfast
