#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/campaign/cell_table.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/store.hpp"

#include <cmath>
#include <filesystem>
#include <string>

/// Files as earlier versions wrote them, for tests: a row of the table cells for each cell. Nothing else includes it.
namespace holdfast::old_rows {

inline std::string number_or_null(double number) {
  return std::isnan(number) ? "NULL" : to_compact_json(Value(number));
}

/// Turns a file into one of schema 2, with the rows in the order of the blocks.
inline Status make_schema_2(const std::filesystem::path& directory) {
  HOLDFAST_TRY(results, Results::open(directory));
  const Description& description = results.description();
  std::vector<std::string> names;
  std::string sql =
      "CREATE TABLE cells(point INTEGER NOT NULL, strategy INTEGER NOT NULL, seed INTEGER NOT NULL,"
      " instance INTEGER NOT NULL, scenario INTEGER NOT NULL, completed INTEGER NOT NULL,"
      " in_statistics INTEGER NOT NULL, seconds REAL NOT NULL, program INTEGER, checksum INTEGER";
  for (const StoredMetric& metric : description.metrics) {
    names.push_back(metric.name);
    sql += ", " + column_name(metric.name) + " REAL";
  }
  sql += "); ";
  HOLDFAST_TRY(db, Database::open((directory / Store::kFile).string(), Database::Mode::write));
  HOLDFAST_TRY(table, CellTable::open(db, 2, 0));
  HOLDFAST_TRY(store, Store::open_readonly(directory));
  const std::vector<std::uint64_t> sums = CellTable::metric_sums(names);
  const std::uint64_t program = CellTable::program_sum(version());
  const auto add = [&](const Block& block) -> Status {
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::vector<double> values;
      std::string texts;
      for (const auto& column : block.metrics) {
        values.push_back(column[i]);
        texts += ", " + number_or_null(column[i]);
      }
      const StoredCell cell = {.row = 0,
                               .point = static_cast<std::uint32_t>(block.points[i]),
                               .strategy = static_cast<std::uint32_t>(block.strategies[i]),
                               .instance = block.instances[i],
                               .scenario = block.scenarios[i],
                               .flags = block.flags[i],
                               .metrics = values};
      sql += "INSERT INTO cells VALUES(";
      for (const std::uint64_t number :
           {std::uint64_t{cell.point}, std::uint64_t{cell.strategy}, description.seed,
            cell.instance, cell.scenario, std::uint64_t{(cell.flags & CellFlags::kCompleted) != 0},
            std::uint64_t{(cell.flags & CellFlags::kInStatistics) != 0}})
        sql += std::to_string(number) + ", ";
      sql += "0.5, 1, " +
             std::to_string(table.checksum(cell, description.seed, 0.5, program, sums)) + texts +
             "); ";
    }
    return {};
  };
  HOLDFAST_CHECK(store.for_each_block({.seed = description.seed, .metrics = names}, add));
  return db.execute(sql +
                    "DROP TABLE blocks; DROP TABLE layouts; PRAGMA user_version = 2; "
                    "CREATE VIEW results AS SELECT * FROM cells");
}

/// Turns a file into one from before checksums.
inline Status make_schema_1(const std::filesystem::path& directory) {
  HOLDFAST_CHECK(make_schema_2(directory));
  HOLDFAST_TRY(db, Database::open((directory / Store::kFile).string(), Database::Mode::write));
  return db.execute(
      "DROP VIEW results; ALTER TABLE cells DROP COLUMN program; ALTER TABLE cells DROP COLUMN "
      "checksum; DROP TABLE programs; DELETE FROM meta WHERE key = 'checksum'; "
      "CREATE VIEW results AS SELECT * FROM cells; PRAGMA user_version = 1");
}

}  // namespace holdfast::old_rows
