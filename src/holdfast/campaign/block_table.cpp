#include "holdfast/campaign/block_table.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/word_hash.hpp"
#include "holdfast/campaign/checksum.hpp"
#include "holdfast/campaign/description_tables.hpp"
#include "holdfast/campaign/executors/parallel.hpp"
#include "holdfast/campaign/row_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace holdfast {
namespace {

/// Blocks are checked in waves of about this number of bytes and cells, which bounds the memory.
constexpr std::size_t kWaveBytes = std::size_t{4} << 20;
constexpr std::size_t kWaveCells = 4 * kMostBlockCells;
constexpr std::size_t kWaveRows = 1024;
/// Larger blocks do not keep their memory from wave to wave.
constexpr std::size_t kFewCells = 4096;
constexpr char kBetween = '\n';

std::int64_t sum_of(std::uint64_t seed, std::uint64_t cells, std::string_view program,
                    std::string_view layout, std::string_view bytes) {
  Checksum sum;
  sum.number(seed).number(cells).text(program).text(layout);
  sum.number(bytes.size()).number(word_hash(bytes));
  return std::bit_cast<std::int64_t>(sum.value());
}

/// Returns the number of a text in a table of numbered texts, which gets it if it does not have it.
Result<std::int64_t> number_of(const Database& db, std::string_view table, std::string_view column,
                               std::string_view text) {
  HOLDFAST_TRY(write,
               db.prepare(fmt::format("INSERT OR IGNORE INTO {}({}) VALUES(?)", table, column)));
  write.bind_text(1, text);
  HOLDFAST_CHECK(db.run(write));
  HOLDFAST_TRY(select, db.prepare(fmt::format("SELECT id FROM {} WHERE {} = ?", table, column)));
  select.bind_text(1, text);
  std::int64_t id = 0;
  HOLDFAST_CHECK(db.query(select, [&](const Statement& row) { id = row.integer(0); }));
  return id;
}

}  // namespace

std::string layout_of(std::span<const std::string> metrics) {
  return join(std::vector<std::string>(metrics.begin(), metrics.end()), std::string(1, kBetween));
}

/// A row as it was read.
struct BlockTable::Raw {
  std::int64_t row = 0;
  std::uint64_t cells = 0;
  std::uint64_t program = 0;
  std::uint64_t layout = 0;
  std::int64_t checksum = 0;
  std::string bytes;
};

/// Rows that are checked together. Small blocks keep their memory from wave to wave.
struct BlockTable::Wave {
  std::vector<Raw> rows;
  std::vector<Block> blocks;
  std::vector<std::string> errors;
  std::size_t count = 0;
  std::size_t bytes = 0;
  std::size_t cells = 0;
};

Result<BlockTable> BlockTable::open(const Database& db) {
  BlockTable out;
  HOLDFAST_TRY(points, db.number("SELECT count(*) FROM points"));
  HOLDFAST_TRY(strategies, read_texts(db, "strategies", "text"));
  HOLDFAST_TRY(programs, read_texts(db, "programs", "version"));
  HOLDFAST_TRY(layouts, read_texts(db, "layouts", "metrics"));
  out.limits_ = {.points = static_cast<std::uint64_t>(points), .strategies = strategies.size()};
  out.programs_ = std::move(programs);
  out.layouts_ = std::move(layouts);
  return out;
}

Status BlockTable::append(const Database& db, const Batch& batch, const BlockOrigin& origin) {
  HOLDFAST_TRY(program, number_of(db, "programs", "version", origin.program));
  HOLDFAST_TRY(layout, number_of(db, "layouts", "metrics", origin.layout));
  HOLDFAST_TRY(insert, db.prepare("INSERT INTO blocks(seed, program, layout, cells, checksum, "
                                  "bytes) VALUES(?, ?, ?, ?, ?, ?)"));
  for (std::size_t begin = 0; begin < batch.size(); begin += kMostBlockCells) {
    const std::size_t end = std::min(batch.size(), begin + kMostBlockCells);
    const std::string bytes =
        block_bytes(batch, begin, end, origin.metrics, origin.points, origin.strategies);
    insert.bind_count(1, origin.seed);
    insert.bind(2, program);
    insert.bind(3, layout);
    insert.bind_count(4, end - begin);
    insert.bind(5, sum_of(origin.seed, end - begin, origin.program, origin.layout, bytes));
    insert.bind_bytes(6, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    HOLDFAST_CHECK(db.run(insert));
  }
  return {};
}

std::string BlockTable::parse(const Raw& raw, const BlockQuery& query, Block& out) const {
  const std::string& layout = layouts_[raw.layout - 1];
  if (raw.checksum !=
      sum_of(query.seed, raw.cells, programs_[raw.program - 1], layout, raw.bytes)) {
    return "the row is damaged: its checksum differs";
  }
  const std::vector<std::string>& metrics = query.metrics;
  out.row = raw.row;
  out.checksum = raw.checksum;
  if (query.only_checks) return {};
  out.metrics.resize(metrics.size() + (query.wants_seconds ? 1 : 0));
  std::vector<bool> are_there(metrics.size());
  std::vector<std::optional<std::size_t>> columns;
  for (const std::string_view name : split(layout, kBetween)) {
    const auto place = std::ranges::find(metrics, name);
    columns.emplace_back();
    if (place == metrics.end()) continue;
    columns.back() = static_cast<std::size_t>(place - metrics.begin());
    are_there[*columns.back()] = true;
  }
  columns.emplace_back();
  if (query.wants_seconds) columns.back() = metrics.size();
  std::string error = parse_block(raw.bytes, raw.cells, limits_, columns, out);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    if (!are_there[m]) std::ranges::fill(out.metrics[m], std::numeric_limits<double>::quiet_NaN());
  }
  return error;
}

Status BlockTable::finish(Wave& wave, const Database& db, const BlockQuery& query,
                          const std::function<Status(const Block&)>& visit) const {
  wave.blocks.resize(std::max(wave.blocks.size(), wave.count));
  wave.errors.assign(wave.count, {});
  parallel_for(wave.count, thread_count(query.threads),
               [&](std::size_t i) { wave.errors[i] = parse(wave.rows[i], query, wave.blocks[i]); });
  for (std::size_t i = 0; i < wave.count; ++i) {
    if (!wave.errors[i].empty())
      return damaged_row(db.path(), "blocks", wave.rows[i].row, wave.errors[i]);
    HOLDFAST_CHECK(visit(wave.blocks[i]));
    if (wave.rows[i].cells <= kFewCells) continue;
    wave.blocks[i] = {};
    wave.rows[i].bytes = {};
  }
  wave.count = wave.bytes = wave.cells = 0;
  return {};
}

Status BlockTable::for_each(const Database& db, const BlockQuery& query,
                            const std::function<Status(const Block&)>& visit) const {
  HOLDFAST_TRY(select, db.prepare("SELECT id, cells, program, layout, checksum, bytes FROM blocks "
                                  "WHERE seed = ? ORDER BY id"));
  select.bind_count(1, query.seed);
  Wave wave;
  const auto take = [&](const Statement& row) -> Status {
    RowReader read(row, db.path(), "blocks", row.integer(0));
    if (wave.rows.size() == wave.count) wave.rows.emplace_back();
    Raw& raw = wave.rows[wave.count];
    raw.row = row.integer(0);
    raw.cells = read.count(1, "cells", 1, kMostBlockCells);
    raw.program = read.count(2, "program", 1, programs_.size());
    raw.layout = read.count(3, "layout", 1, layouts_.size());
    raw.checksum = row.integer(4);
    raw.bytes = read.text(5, "bytes");
    HOLDFAST_CHECK(read.status());
    ++wave.count;
    wave.bytes += raw.bytes.size();
    wave.cells += raw.cells;
    if (wave.count < kWaveRows && wave.bytes < kWaveBytes && wave.cells < kWaveCells) return {};
    return finish(wave, db, query, visit);
  };
  HOLDFAST_CHECK(db.query(select, take));
  return finish(wave, db, query, visit);
}

}  // namespace holdfast
