#include "holdfast/campaign/results_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {
namespace {

/// "HFST", the application id that marks a file as ours.
constexpr int kApplication = 0x48465354;

constexpr std::string_view kTables = R"(
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE metrics(name TEXT PRIMARY KEY, unit TEXT NOT NULL, better TEXT NOT NULL,
                       summary TEXT NOT NULL, position INTEGER);
  CREATE TABLE strategies(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, position INTEGER);
  CREATE TABLE points(id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE);
  CREATE TABLE design(position INTEGER PRIMARY KEY, point INTEGER NOT NULL REFERENCES points,
                      parameters TEXT NOT NULL, instances INTEGER NOT NULL,
                      scenarios INTEGER NOT NULL);
  CREATE TABLE programs(id INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE);
)";

/// Rows without a checksum are distinguished from damaged ones by their number, because new rows have higher numbers than all
/// earlier ones.
constexpr std::string_view kToSchema2 = R"(
  ALTER TABLE cells ADD COLUMN program INTEGER;
  ALTER TABLE cells ADD COLUMN checksum INTEGER;
  CREATE TABLE programs(id INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE);
  INSERT INTO programs(version)
    SELECT json_extract(value, '$.version') FROM meta
    WHERE key = 'campaign' AND json_type(value, '$.version') = 'text'
      AND EXISTS (SELECT 1 FROM cells);
  INSERT INTO meta(key, value) SELECT 'unchecked', coalesce(max(rowid), 0) FROM cells;
  PRAGMA user_version = 2;
)";

/// The rows of earlier schemas stay where they are. Their view would miss what is added now.
constexpr std::string_view kBlocks = R"(
  CREATE TABLE layouts(id INTEGER PRIMARY KEY, metrics TEXT NOT NULL UNIQUE);
  CREATE TABLE blocks(id INTEGER PRIMARY KEY, seed INTEGER NOT NULL, program INTEGER NOT NULL,
                      layout INTEGER NOT NULL, cells INTEGER NOT NULL, checksum INTEGER NOT NULL,
                      bytes BLOB NOT NULL);
)";
constexpr std::string_view kToSchema3 = "DROP VIEW IF EXISTS results; PRAGMA user_version = 3;";
static_assert(kResultsSchema == 3);

/// The tables that a file of a schema has.
std::vector<std::string_view> tables_of(int schema, bool has_cells) {
  std::vector<std::string_view> out = {"meta", "metrics", "strategies", "points", "design"};
  if (schema > 1) out.emplace_back("programs");
  if (schema > kLastSchemaOfCells) out.insert(out.end(), {"layouts", "blocks"});
  if (schema <= kLastSchemaOfCells || has_cells) out.emplace_back("cells");
  return out;
}

/// Checks that everything that is read is a plain table: a view or a virtual table would compute its rows.
Status check_tables(const Database& db, int schema) {
  HOLDFAST_TRY(has_cells, has_old_cells(db));
  for (const std::string_view name : tables_of(schema, has_cells)) {
    HOLDFAST_TRY(select,
                 db.prepare("SELECT (SELECT type FROM pragma_table_list(?1) WHERE schema = 'main'),"
                            " (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0)"));
    select.bind_text(1, name);
    bool is_plain = false;
    HOLDFAST_CHECK(db.query(select, [&](const Statement& row) {
      is_plain = row.text(0) == "table" && row.integer(1) == 0;
    }));
    if (is_plain) continue;
    return fail(ErrorCode::bad_format, db.path(),
                fmt::format("found no plain table '{}', expected the results of a campaign; name "
                            "another directory with --output, or replace this one with --force",
                            name));
  }
  return {};
}

}  // namespace

Result<int> read_schema(const Database& db, bool may_be_new) {
  HOLDFAST_TRY(tables, db.number("SELECT count(*) FROM sqlite_schema"));
  if (tables == 0 && may_be_new) return kResultsSchema;
  HOLDFAST_TRY(application, db.number("PRAGMA application_id"));
  if (application != kApplication) {
    return fail(ErrorCode::bad_format, db.path(),
                "found a database of another program, expected the results of a campaign");
  }
  HOLDFAST_TRY(found, db.number("PRAGMA user_version"));
  if (found > kResultsSchema) {
    return fail(ErrorCode::bad_format, db.path(),
                fmt::format("found results of a newer holdfast (schema {}, this program reads up "
                            "to {}); update holdfast, or name another directory with --output",
                            found, kResultsSchema));
  }
  if (found < 1) {
    return fail(ErrorCode::bad_format, db.path(),
                fmt::format("found schema {}, expected 1 to {}: the file is damaged; name another "
                            "directory with --output, or replace this one with --force",
                            found, kResultsSchema));
  }
  HOLDFAST_CHECK(check_tables(db, static_cast<int>(found)));
  return static_cast<int>(found);
}

Status bring_to_schema(const Database& db, int schema) {
  HOLDFAST_TRY(tables, db.number("SELECT count(*) FROM sqlite_schema"));
  std::string statements;
  if (tables == 0) {
    statements = fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; {}{}",
                             kApplication, kResultsSchema, kTables, kBlocks);
  } else if (schema < kResultsSchema) {
    statements = fmt::format("{}{}{}", schema == 1 ? kToSchema2 : "", kBlocks, kToSchema3);
  } else {
    return {};
  }
  return db.transaction([&] { return db.execute(statements); });
}

Result<bool> has_old_cells(const Database& db) {
  HOLDFAST_TRY(found, db.number("SELECT count(*) FROM sqlite_schema WHERE name = 'cells'"));
  return found > 0;
}

Result<std::uint64_t> unchecked_rows(const Database& db, int schema) {
  if (schema == 1) {
    HOLDFAST_TRY(rows, db.number("SELECT coalesce(max(rowid), 0) FROM cells"));
    return static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 0));
  }
  HOLDFAST_TRY(rows, db.number("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'unchecked'"));
  return static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 0));
}

}  // namespace holdfast
