#include "holdfast/campaign/cell_table.hpp"

#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/checksum.hpp"
#include "holdfast/campaign/description_tables.hpp"
#include "holdfast/campaign/results_schema.hpp"
#include "holdfast/campaign/row_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
/// The number of columns in the query before those of metrics.
constexpr int kFixed = 10;

std::uint64_t sum_of(std::string_view text) {
  return Checksum().text(text).value();
}

std::vector<std::uint64_t> sums_of(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> out;
  for (const std::string& text : texts) out.push_back(sum_of(text));
  return out;
}

/// Returns the names of the columns of cells.
Result<std::vector<std::string>> read_columns(const Database& db) {
  std::vector<std::string> out;
  HOLDFAST_CHECK(db.query("SELECT name FROM pragma_table_info('cells')",
                          [&](const Statement& row) { out.emplace_back(row.text(0)); }));
  return out;
}

}  // namespace

std::string column_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

Result<CellTable> CellTable::open(const Database& db, int schema, std::uint64_t unchecked) {
  CellTable out;
  out.has_checksums_ = schema > 1;
  out.unchecked_ = unchecked;
  HOLDFAST_TRY(digests, read_point_digests(db));
  for (const PointDigest& digest : digests) {
    out.point_sums_.push_back(
        sum_of({reinterpret_cast<const char*>(digest.data()), digest.size()}));
  }
  HOLDFAST_TRY(strategies, read_texts(db, "strategies", "text"));
  out.strategy_sums_ = sums_of(strategies);
  HOLDFAST_TRY(metrics, read_all_metrics(db));
  out.metrics_ = std::move(metrics);
  // Metrics that are newer than these cells have no column.
  if (schema > kLastSchemaOfCells) {
    HOLDFAST_TRY(columns, read_columns(db));
    std::erase_if(out.metrics_, [&](const std::string& name) {
      return std::ranges::find(columns, name) == columns.end();
    });
  }
  if (out.has_checksums_) {
    HOLDFAST_TRY(programs, read_texts(db, "programs", "version"));
    out.program_sums_ = sums_of(programs);
  }
  return out;
}

std::vector<std::uint64_t> CellTable::metric_sums(const std::vector<std::string>& names) {
  return sums_of(names);
}

std::uint64_t CellTable::program_sum(std::string_view version) {
  return sum_of(version);
}

std::int64_t CellTable::checksum(const StoredCell& cell, std::uint64_t seed, double seconds,
                                 std::uint64_t program_sum,
                                 std::span<const std::uint64_t> metric_sums) const {
  Checksum sum(point_sums_[cell.point - 1]);
  sum.number(strategy_sums_[cell.strategy - 1]).number(seed).number(cell.instance);
  sum.number(cell.scenario).number(cell.flags).real(seconds).number(program_sum);
  std::uint64_t total = sum.value();
  for (std::size_t m = 0; m < metric_sums.size(); ++m) {
    if (std::isnan(cell.metrics[m])) continue;
    total += Checksum(metric_sums[m]).real(cell.metrics[m]).value();
  }
  // 32 bits, which SQLite stores in four bytes.
  return static_cast<std::int32_t>(total ^ (total >> 32));
}

Status CellTable::for_each(const Database& db, const BlockQuery& query,
                           const std::function<Status(const Block&)>& visit) const {
  const std::vector<std::string>& metrics = query.metrics;
  const std::uint64_t seed = query.seed;
  // Metrics that are not requested are part of the checksum too.
  std::vector<std::string> names = metrics;
  for (const std::string& name : metrics_) {
    if (std::find(metrics.begin(), metrics.end(), name) == metrics.end()) names.push_back(name);
  }
  std::string columns = has_checksums_ ? ", program, checksum" : ", NULL, NULL";
  for (const std::string& name : names) {
    const bool is_there = std::ranges::find(metrics_, name) != metrics_.end();
    columns += ", " + (is_there ? column_name(name) : std::string("NULL"));
  }
  HOLDFAST_TRY(select, db.prepare(fmt::format("SELECT rowid, point, strategy, instance, scenario, "
                                              "completed, in_statistics, seconds{} FROM cells "
                                              "WHERE seed = ? ORDER BY rowid",
                                              columns)));
  select.bind_count(1, seed);
  const std::vector<std::uint64_t> sums = metric_sums(names);
  std::vector<double> values(names.size());
  Block block;
  block.table = "cells";
  block.metrics.resize(metrics.size() + (query.wants_seconds ? 1 : 0));
  block.resize(1);
  return db.query(select, [&](const Statement& row) -> Status {
    RowReader read(row, db.path(), "cells", row.integer(0));
    StoredCell cell;
    cell.row = row.integer(0);
    cell.point = static_cast<std::uint32_t>(read.count(1, "point", 1, point_sums_.size()));
    cell.strategy = static_cast<std::uint32_t>(read.count(2, "strategy", 1, strategy_sums_.size()));
    cell.instance = read.count(3, "instance", 0, kMost);
    cell.scenario = read.count(4, "scenario", 0, kMost);
    cell.flags = CellFlags::kPresent;
    if (read.count(5, "completed", 0, 1) != 0) cell.flags |= CellFlags::kCompleted;
    if (read.count(6, "in_statistics", 0, 1) != 0) cell.flags |= CellFlags::kInStatistics;
    const double seconds = read.real(7, "seconds");
    for (std::size_t m = 0; m < values.size(); ++m) {
      values[m] = read.real(kFixed + static_cast<int>(m), names[m]);
    }
    cell.metrics = values;
    const bool is_old = cell.row > 0 && static_cast<std::uint64_t>(cell.row) <= unchecked_;
    if (!is_old && read.ok()) {
      const std::uint64_t program = read.count(8, "program", 1, program_sums_.size());
      const bool is_whole =
          read.ok() && row.kind(9) == Statement::Kind::integer &&
          row.integer(9) == checksum(cell, seed, seconds, program_sums_[program - 1], sums);
      if (!is_whole) read.refuse("the row is damaged: its checksum differs");
    }
    HOLDFAST_CHECK(read.status());
    block.row = cell.row;
    block.points[0] = cell.point;
    block.strategies[0] = cell.strategy;
    block.instances[0] = cell.instance;
    block.scenarios[0] = cell.scenario;
    block.flags[0] = cell.flags;
    for (std::size_t m = 0; m < metrics.size(); ++m) block.metrics[m][0] = values[m];
    if (query.wants_seconds) block.metrics.back()[0] = seconds;
    return visit(block);
  });
}

}  // namespace holdfast
