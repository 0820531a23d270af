#include "holdfast/campaign/store.hpp"

#include "holdfast/base/value.hpp"
#include "holdfast/campaign/block_table.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/cell_table.hpp"
#include "holdfast/campaign/checksum.hpp"
#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/description_tables.hpp"
#include "holdfast/campaign/id_map.hpp"
#include "holdfast/campaign/results_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

namespace holdfast {
namespace {

/// The number of pages of the write-ahead log at which it is copied into the file: 32 MB.
constexpr int kLogPages = 8000;

/// Committed data are on the disk, and survive a crash of the machine, after this time.
constexpr std::chrono::seconds kBetweenSyncs{5};

}  // namespace

struct Store::Impl {
  using Clock = std::chrono::steady_clock;

  Database db;
  int schema = kResultsSchema;
  // The following members belong to the described design.
  std::uint64_t seed = 0;
  std::vector<std::string> metrics;
  std::vector<std::uint32_t> point_ids;     // numbers in the file, by point
  std::vector<std::uint32_t> strategy_ids;  // numbers in the file, by strategy
  bool is_described = false;
  Clock::time_point synced = Clock::now();
  bool is_synced = true;

  explicit Impl(Database opened) : db(std::move(opened)) {}

  Result<std::string> description_sum() const;
  Status check_description() const;
  Status write_meta(std::string_view key, std::string_view value) const;
  Status describe_metrics(const Domain& domain) const;
  Status describe_strategies(const std::vector<StrategySpec>& specs);
  Status describe_points(const Design& design);
  Status describe_positions(const Design& design) const;
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::filesystem::path& directory) {
  HOLDFAST_TRY(db, Database::open((directory / kFile).string(), Database::Mode::write));
  Store store(std::make_unique<Impl>(std::move(db)));
  Impl& impl = *store.impl_;
  HOLDFAST_TRY(schema, read_schema(impl.db, true));
  HOLDFAST_CHECK(impl.db.execute(fmt::format(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = {}",
      kLogPages)));
  HOLDFAST_CHECK(bring_to_schema(impl.db, schema));
  return store;
}

Result<Store> Store::open_readonly(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / kFile;
  std::error_code code;
  const bool is_there = std::filesystem::exists(file, code);
  if (code) {
    return fail(ErrorCode::io_failure, directory.string(),
                fmt::format("cannot be read: {}", code.message()));
  }
  if (!is_there) {
    return fail(ErrorCode::bad_value, directory.string(),
                fmt::format("found no {}, expected the results of a campaign", kFile));
  }
  HOLDFAST_TRY(db, Database::open(file.string(), Database::Mode::read));
  Store store(std::make_unique<Impl>(std::move(db)));
  HOLDFAST_TRY(schema, read_schema(store.impl_->db, false));
  store.impl_->schema = schema;
  return store;
}

Result<std::string> Store::meta(std::string_view key) const {
  std::string out;
  HOLDFAST_TRY(tables, impl_->db.number("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'"));
  if (tables == 0) return out;
  HOLDFAST_TRY(select, impl_->db.prepare("SELECT value FROM meta WHERE key = ?"));
  select.bind_text(1, key);
  HOLDFAST_CHECK(impl_->db.query(select, [&](const Statement& row) { out = row.text(0); }));
  return out;
}

Status Store::set_meta(std::string_view key, std::string_view value) {
  return impl_->write_meta(key, value);
}

Status Store::Impl::write_meta(std::string_view key, std::string_view value) const {
  HOLDFAST_TRY(write, db.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"));
  write.bind_text(1, key);
  write.bind_text(2, value);
  return db.run(write);
}

Status Store::Impl::describe_metrics(const Domain& domain) const {
  std::map<std::string, bool, std::less<>> columns;
  HOLDFAST_CHECK(db.query("SELECT name FROM pragma_table_info('cells')",
                          [&](const Statement& row) { columns.emplace(row.text(0), true); }));
  std::map<std::string, bool, std::less<>> known;
  HOLDFAST_CHECK(db.query("SELECT name FROM metrics",
                          [&](const Statement& row) { known.emplace(row.text(0), true); }));
  HOLDFAST_CHECK(db.execute("UPDATE metrics SET position = NULL"));
  HOLDFAST_TRY(write,
               db.prepare("INSERT OR REPLACE INTO metrics(name, unit, better, summary, position) "
                          "VALUES(?, ?, ?, ?, ?)"));
  std::int64_t position = 0;
  for (const Metric& metric : domain.metrics) {
    // A column of old rows that no metric has.
    if (!known.contains(metric.name) && columns.contains(metric.name)) {
      return fail(
          ErrorCode::bad_format, db.path(),
          fmt::format("found a column '{}' of cells, which the table metrics does not have; "
                      "run the campaign again in another directory (--output)",
                      metric.name));
    }
    write.bind_text(1, metric.name);
    write.bind_text(2, symbol(metric.unit));
    write.bind_text(3, name(metric.better));
    write.bind_text(4, metric.summary);
    write.bind(5, position++);
    HOLDFAST_CHECK(db.run(write));
  }
  return {};
}

Status Store::Impl::describe_strategies(const std::vector<StrategySpec>& specs) {
  HOLDFAST_CHECK(db.execute("UPDATE strategies SET position = NULL"));
  HOLDFAST_TRY(write, db.prepare("INSERT INTO strategies(text, position) VALUES(?1, ?2) "
                                 "ON CONFLICT(text) DO UPDATE SET position = ?2"));
  std::int64_t position = 0;
  for (const StrategySpec& spec : specs) {
    write.bind_text(1, spec.text);
    write.bind(2, position++);
    HOLDFAST_CHECK(db.run(write));
  }
  HOLDFAST_TRY(ids, read_strategy_ids(db));
  strategy_ids = std::move(ids);
  return {};
}

Status Store::Impl::describe_points(const Design& design) {
  HOLDFAST_TRY(digests, read_point_digests(db));
  std::map<PointDigest, std::uint32_t> known;
  for (std::size_t i = 0; i < digests.size(); ++i) {
    known.emplace(digests[i], static_cast<std::uint32_t>(i + 1));
  }
  HOLDFAST_TRY(write, db.prepare("INSERT INTO points(digest) VALUES(?)"));
  point_ids.clear();
  for (const DesignPoint& point : design.points()) {
    auto entry = known.find(point.digest);
    if (entry == known.end()) {
      write.bind_bytes(1, point.digest);
      HOLDFAST_CHECK(db.run(write));
      const auto id = static_cast<std::uint32_t>(db.last_insert_id());
      entry = known.emplace(point.digest, id).first;
    }
    point_ids.push_back(entry->second);
  }
  return {};
}

Status Store::Impl::describe_positions(const Design& design) const {
  HOLDFAST_CHECK(db.execute("DELETE FROM design"));
  HOLDFAST_TRY(write,
               db.prepare("INSERT INTO design(position, point, parameters, instances, scenarios) "
                          "VALUES(?, ?, ?, ?, ?)"));
  const auto& axes = design.campaign().axes;
  for (std::size_t position = 0; position < design.positions(); ++position) {
    const std::uint32_t point = design.point_of(position);
    Value parameters = Value::object();
    std::vector<Value> values = axis_values(axes, position);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      parameters.set(axes[i].name, std::move(values[i]));
    }
    const std::string text = to_compact_json(parameters);
    write.bind(1, static_cast<std::int64_t>(position));
    write.bind(2, point_ids[point]);
    write.bind_text(3, text);
    write.bind_count(4, design.points()[point].instances);
    write.bind_count(5, design.points()[point].scenarios);
    HOLDFAST_CHECK(db.run(write));
  }
  return {};
}

/// Returns the checksum of everything that defines the cells; empty if the file is older than checksums.
Result<std::string> Store::Impl::description_sum() const {
  Checksum sum;
  const auto add = [&](std::string_view sql) {
    return db.query(sql, [&](const Statement& row) {
      for (int column = 0; column < row.columns(); ++column) {
        sum.number(static_cast<std::uint64_t>(row.kind(column))).text(row.text(column));
      }
    });
  };
  HOLDFAST_CHECK(
      add("SELECT key, value FROM meta WHERE key IN ('campaign', 'directory', 'design', "
          "'unchecked') ORDER BY key"));
  // Not from the index, whose copy of a name may be whole where that of the table, which is read elsewhere, is not.
  HOLDFAST_CHECK(
      add("SELECT name, unit, better, summary, position FROM metrics NOT INDEXED ORDER BY name"));
  HOLDFAST_CHECK(add("SELECT id, text, position FROM strategies ORDER BY id"));
  HOLDFAST_CHECK(add("SELECT id, digest FROM points ORDER BY id"));
  HOLDFAST_CHECK(
      add("SELECT position, point, parameters, instances, scenarios FROM design ORDER BY "
          "position"));
  return fmt::format("{:016x}", sum.value());
}

Status Store::Impl::check_description() const {
  if (schema == 1) return {};
  std::string written;
  HOLDFAST_CHECK(db.query("SELECT value FROM meta WHERE key = 'checksum'",
                          [&](const Statement& row) { written = row.text(0); }));
  HOLDFAST_TRY(old_rows, db.number("SELECT count(*) FROM meta WHERE key = 'unchecked'"));
  if (written.empty() && old_rows != 0) return {};  // killed before the file was described again
  HOLDFAST_TRY(found, description_sum());
  if (found == written) return {};
  return fail(ErrorCode::bad_format, db.path(),
              "the description of the campaign is damaged: its checksum differs; run the campaign "
              "again in another directory (--output), or in this one with --force");
}

Status Store::describe(const Design& design) {
  const Campaign& campaign = design.campaign();
  const std::string directory = std::filesystem::absolute(campaign.directory).string();
  HOLDFAST_TRY(written, meta("design"));
  // The fingerprint determines the rows of the table design, which are not written again if a campaign is continued unchanged.
  const std::string wanted = fingerprint(design);
  Description description = describe_campaign(campaign);
  if (const Point* first = design.peek(0)) description.problem = first->headline(campaign.seed);
  const auto write = [&]() -> Status {
    HOLDFAST_CHECK(impl_->write_meta("campaign", to_text(description)));
    HOLDFAST_CHECK(impl_->write_meta("directory", directory));
    HOLDFAST_CHECK(impl_->describe_metrics(*campaign.domain));
    HOLDFAST_CHECK(impl_->describe_strategies(campaign.strategies));
    HOLDFAST_CHECK(impl_->describe_points(design));
    if (written != wanted) {
      HOLDFAST_CHECK(impl_->write_meta("design", wanted));
      HOLDFAST_CHECK(impl_->describe_positions(design));
    }
    HOLDFAST_TRY(sum, impl_->description_sum());
    return impl_->write_meta("checksum", sum);
  };
  HOLDFAST_CHECK(impl_->db.transaction(write));
  impl_->seed = campaign.seed;
  impl_->metrics.clear();
  for (const Metric& metric : campaign.domain->metrics) impl_->metrics.emplace_back(metric.name);
  impl_->is_described = true;
  return {};
}

Status Store::for_each_block(const BlockQuery& query,
                             const std::function<Status(const Block&)>& visit) const {
  const Database& db = impl_->db;
  HOLDFAST_TRY(has_rows, has_old_cells(db));
  if (has_rows) {
    HOLDFAST_TRY(rows, unchecked_rows(db, impl_->schema));
    HOLDFAST_TRY(cells, CellTable::open(db, impl_->schema, rows));
    HOLDFAST_CHECK(cells.for_each(db, query, visit));
  }
  if (impl_->schema <= kLastSchemaOfCells) return {};
  HOLDFAST_TRY(blocks, BlockTable::open(db));
  return blocks.for_each(db, query, visit);
}

Status Store::append(const Batch& batch, std::string_view computed_by) {
  Impl& impl = *impl_;
  const std::size_t metrics = impl.metrics.size();
  assert(impl.is_described && batch.values.size() == batch.size() * metrics);
  if (!batch.empty()) {
    const BlockOrigin origin = {.seed = impl.seed,
                                .program = computed_by,
                                .layout = layout_of(impl.metrics),
                                .metrics = metrics,
                                .points = impl.point_ids,
                                .strategies = impl.strategy_ids};
    HOLDFAST_CHECK(impl.db.transaction([&] { return BlockTable::append(impl.db, batch, origin); }));
    impl.is_synced = false;
  }
  if (impl.is_synced || Impl::Clock::now() - impl.synced < kBetweenSyncs) return {};
  return sync();
}

Status Store::sync() {
  impl_->synced = Impl::Clock::now();
  impl_->is_synced = true;
  return impl_->db.sync();
}

Status Store::for_each_key(const std::function<void(const CellKey&)>& visit,
                           unsigned threads) const {
  const IdMap points(impl_->point_ids);
  const IdMap strategies(impl_->strategy_ids);
  const BlockQuery query = {.seed = impl_->seed, .threads = threads};
  return for_each_block(query, [&](const Block& block) -> Status {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::uint32_t point = points.find(block.points[i]);
      const std::uint32_t strategy = strategies.find(block.strategies[i]);
      if (point == IdMap::kNone || strategy == IdMap::kNone) continue;
      visit({point, strategy, block.instances[i], block.scenarios[i]});
    }
    return {};
  });
}

Status Store::close() {
  Status status = impl_->is_synced ? Status{} : sync();
  impl_->db.fold();
  return status;
}

Result<Description> Store::description() const {
  const Database& db = impl_->db;
  HOLDFAST_CHECK(impl_->check_description());
  HOLDFAST_TRY(text, meta("campaign"));
  auto description = parse_description(text);
  if (!description) return fail(in_file(db.path(), std::move(description).error()));
  HOLDFAST_TRY(strategies, read_strategies(db));
  HOLDFAST_TRY(metrics, read_metrics(db));
  complete_description(*description, std::move(strategies), std::move(metrics));
  if (description->baseline && *description->baseline >= description->strategies.size()) {
    return fail(ErrorCode::bad_format, db.path(),
                fmt::format("found strategy {} as the baseline, expected one below {}; run the "
                            "campaign again in another directory (--output)",
                            *description->baseline, description->strategies.size()));
  }
  return description;
}

Result<std::vector<StoredPosition>> Store::positions(const Description& description) const {
  return read_positions(impl_->db, description);
}

Result<Provenance> Store::provenance() const {
  Provenance out;
  HOLDFAST_TRY(rows, unchecked_rows(impl_->db, impl_->schema));
  out.unchecked = rows;
  if (impl_->schema == 1) {
    HOLDFAST_TRY(written, description());
    if (rows > 0) out.versions = {written.version};
    return out;
  }
  HOLDFAST_CHECK(
      impl_->db.query("SELECT version FROM programs ORDER BY id",
                      [&](const Statement& row) { out.versions.emplace_back(row.text(0)); }));
  return out;
}

Result<std::vector<std::uint32_t>> Store::strategy_ids() const {
  return read_strategy_ids(impl_->db);
}

Result<std::optional<std::uint64_t>> Store::state(std::uint64_t seed, unsigned threads) const {
  const Database& db = impl_->db;
  HOLDFAST_TRY(has_rows, has_old_cells(db));
  if (has_rows || impl_->schema <= kLastSchemaOfCells) return std::nullopt;
  HOLDFAST_TRY(description, meta("checksum"));
  HOLDFAST_TRY(blocks, BlockTable::open(db));
  Checksum sum;
  sum.text(description).number(seed);
  const BlockQuery query = {.seed = seed, .only_checks = true, .threads = threads};
  HOLDFAST_CHECK(blocks.for_each(db, query, [&sum](const Block& block) -> Status {
    sum.number(static_cast<std::uint64_t>(block.row));
    sum.number(static_cast<std::uint64_t>(block.checksum));
    return {};
  }));
  return sum.value();
}

Result<std::int64_t> Store::data_version() const {
  return impl_->db.number("PRAGMA data_version");
}

Status Store::begin_reading() const {
  return impl_->db.execute("BEGIN");
}
Status Store::end_reading() const {
  return impl_->db.execute("COMMIT");
}

}  // namespace holdfast
