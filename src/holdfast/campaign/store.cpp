#include "holdfast/campaign/store.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/id_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace holdfast {
namespace {

/// "HFST": what marks a file as ours.
constexpr int kApplication = 0x48465354;
/// Pages of the write-ahead log before it is copied into the file: 32 MB.
constexpr int kLogPages = 8000;

constexpr std::string_view kTables = R"(
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE metrics(name TEXT PRIMARY KEY, unit TEXT NOT NULL, better TEXT NOT NULL,
                       summary TEXT NOT NULL, position INTEGER);
  CREATE TABLE strategies(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, position INTEGER);
  CREATE TABLE points(id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE);
  CREATE TABLE design(position INTEGER PRIMARY KEY, point INTEGER NOT NULL REFERENCES points,
                      parameters TEXT NOT NULL, instances INTEGER NOT NULL,
                      scenarios INTEGER NOT NULL);
  CREATE TABLE cells(point INTEGER NOT NULL, strategy INTEGER NOT NULL, seed INTEGER NOT NULL,
                     instance INTEGER NOT NULL, scenario INTEGER NOT NULL,
                     completed INTEGER NOT NULL, in_statistics INTEGER NOT NULL,
                     seconds REAL NOT NULL);
  CREATE VIEW results AS
    SELECT design.position, design.parameters, strategies.text AS strategy_text, cells.*
    FROM cells JOIN design ON design.point = cells.point
               JOIN strategies ON strategies.id = cells.strategy;
)";

std::string column_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace

struct Store::Impl {
  Database db;
  std::uint64_t seed = 0;
  std::size_t metrics = 0;
  std::vector<std::uint32_t> point_ids;  // of the described design, by its point
  IdMap points_by_id;
  std::vector<std::uint32_t> strategy_ids;  // by its strategy
  IdMap strategies_by_id;
  std::optional<Statement> insert;

  explicit Impl(Database opened) : db(std::move(opened)) {}

  Status check_identity(bool may_be_new) const;
  Status make_tables() const;
  Status write_meta(std::string_view key, std::string_view value) const;
  Status describe_metrics(const Domain& domain) const;
  Status describe_strategies(const std::vector<StrategySpec>& specs);
  Status describe_points(const Design& design);
  Status describe_positions(const Design& design) const;
  Status prepare_insert(const Domain& domain);
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Status Store::Impl::check_identity(bool may_be_new) const {
  HOLDFAST_TRY(tables, db.number("SELECT count(*) FROM sqlite_schema"));
  if (tables == 0 && may_be_new) return {};
  HOLDFAST_TRY(application, db.number("PRAGMA application_id"));
  if (application != kApplication) {
    return fail(ErrorCode::bad_format, db.path(),
                "found a database of another program, expected the results of a campaign");
  }
  HOLDFAST_TRY(schema, db.number("PRAGMA user_version"));
  if (schema > kSchema) {
    return fail(ErrorCode::bad_format, db.path(),
                fmt::format("found results of a newer holdfast (schema {}, this program reads up "
                            "to {}); update holdfast, or name another directory with --output",
                            schema, kSchema));
  }
  return {};
}

Status Store::Impl::make_tables() const {
  HOLDFAST_TRY(tables, db.number("SELECT count(*) FROM sqlite_schema"));
  if (tables != 0) return {};
  return db.transaction([&] {
    return db.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; {}",
                                  kApplication, kSchema, kTables));
  });
}

Result<Store> Store::open(const std::filesystem::path& directory) {
  HOLDFAST_TRY(db, Database::open((directory / kFile).string(), Database::Mode::write));
  Store store(std::make_unique<Impl>(std::move(db)));
  const Impl& impl = *store.impl_;
  HOLDFAST_CHECK(impl.check_identity(true));
  HOLDFAST_CHECK(impl.db.execute(fmt::format(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = {}",
      kLogPages)));
  HOLDFAST_CHECK(impl.make_tables());
  return store;
}

Result<Store> Store::open_readonly(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / kFile;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    return fail(ErrorCode::bad_value, directory.string(),
                fmt::format("found no {}, expected the results of a campaign", kFile));
  }
  HOLDFAST_TRY(db, Database::open(file.string(), Database::Mode::read));
  Store store(std::make_unique<Impl>(std::move(db)));
  HOLDFAST_CHECK(store.impl_->check_identity(false));
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
    assert((known.contains(metric.name) || !columns.contains(metric.name)) &&
           "a metric must not be called like a column that every cell has");
    if (!known.contains(metric.name)) {
      HOLDFAST_CHECK(db.execute(
          fmt::format("ALTER TABLE cells ADD COLUMN {} REAL", column_name(metric.name))));
    }
    write.bind_text(1, metric.name);
    write.bind_text(2, metric.unit);
    write.bind_text(3, to_text(metric.better));
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
  strategy_ids.clear();
  return db.query("SELECT id FROM strategies WHERE position NOT NULL ORDER BY position",
                  [&](const Statement& row) {
                    strategy_ids.push_back(static_cast<std::uint32_t>(row.integer(0)));
                  });
}

Status Store::Impl::describe_points(const Design& design) {
  std::map<PointDigest, std::uint32_t> known;
  HOLDFAST_CHECK(db.query("SELECT id, digest FROM points", [&](const Statement& row) {
    PointDigest digest{};
    const std::string_view bytes = row.text(1);
    std::copy_n(bytes.begin(), std::min(bytes.size(), digest.size()), digest.begin());
    known.emplace(digest, static_cast<std::uint32_t>(row.integer(0)));
  }));
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

Status Store::Impl::prepare_insert(const Domain& domain) {
  std::string columns;
  std::string places;
  for (const Metric& metric : domain.metrics) {
    columns += ", " + column_name(metric.name);
    places += ", ?";
  }
  HOLDFAST_TRY(statement,
               db.prepare(fmt::format(
                   "INSERT INTO cells(point, strategy, seed, instance, scenario, completed, "
                   "in_statistics, seconds{}) VALUES(?, ?, ?, ?, ?, ?, ?, ?{})",
                   columns, places)));
  insert.emplace(std::move(statement));
  return {};
}

Status Store::describe(const Design& design) {
  const Campaign& campaign = design.campaign();
  const std::string directory = std::filesystem::absolute(campaign.directory).string();
  HOLDFAST_TRY(written, meta("design"));
  // What decides the rows of table design: a campaign that is continued unchanged does not write them
  // again.
  const std::string wanted = fingerprint(design);
  const auto write = [&]() -> Status {
    HOLDFAST_CHECK(impl_->write_meta("campaign", to_text(describe_campaign(campaign))));
    HOLDFAST_CHECK(impl_->write_meta("directory", directory));
    HOLDFAST_CHECK(impl_->describe_metrics(*campaign.domain));
    HOLDFAST_CHECK(impl_->describe_strategies(campaign.strategies));
    HOLDFAST_CHECK(impl_->describe_points(design));
    if (written == wanted) return {};
    HOLDFAST_CHECK(impl_->write_meta("design", wanted));
    return impl_->describe_positions(design);
  };
  HOLDFAST_CHECK(impl_->db.transaction(write));
  impl_->seed = campaign.seed;
  impl_->metrics = campaign.domain->metrics.size();
  impl_->points_by_id = IdMap(impl_->point_ids);
  impl_->strategies_by_id = IdMap(impl_->strategy_ids);
  return impl_->prepare_insert(*campaign.domain);
}

Status Store::append(const Batch& batch) {
  assert(impl_->insert && batch.values.size() == batch.size() * impl_->metrics);
  return impl_->db.transaction([&]() -> Status {
    Statement& insert = *impl_->insert;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const CellKey& key = batch.keys[i];
      insert.bind(1, impl_->point_ids[key.point]);
      insert.bind(2, impl_->strategy_ids[key.strategy]);
      insert.bind_count(3, impl_->seed);
      insert.bind_count(4, key.instance);
      insert.bind_count(5, key.scenario);
      insert.bind(6, (batch.flags[i] & PointCells::kCompleted) != 0 ? 1 : 0);
      insert.bind(7, (batch.flags[i] & PointCells::kInStatistics) != 0 ? 1 : 0);
      insert.bind_real(8, batch.seconds[i]);
      for (std::size_t m = 0; m < impl_->metrics; ++m) {
        insert.bind_real(static_cast<int>(9 + m), batch.values[i * impl_->metrics + m]);
      }
      HOLDFAST_CHECK(impl_->db.run(insert));
    }
    return {};
  });
}

Status Store::for_each_key(const std::function<void(const CellKey&)>& visit) const {
  HOLDFAST_TRY(select, impl_->db.prepare(
                           "SELECT point, strategy, instance, scenario FROM cells WHERE seed = ?"));
  select.bind_count(1, impl_->seed);
  return impl_->db.query(select, [&](const Statement& row) {
    const std::uint32_t point = impl_->points_by_id.find(row.count(0));
    const std::uint32_t strategy = impl_->strategies_by_id.find(row.count(1));
    if (point == IdMap::kNone || strategy == IdMap::kNone) return;
    visit({point, strategy, row.count(2), row.count(3)});
  });
}

Status Store::close() {
  impl_->insert.reset();
  impl_->db.fold();
  return {};
}

Result<Description> Store::description() const {
  HOLDFAST_TRY(text, meta("campaign"));
  auto description = parse_description(text);
  if (!description) return fail(in_file(impl_->db.path(), std::move(description).error()));
  HOLDFAST_CHECK(impl_->db.query(
      "SELECT text FROM strategies WHERE position NOT NULL ORDER BY position",
      [&](const Statement& row) { description->strategies.emplace_back(row.text(0)); }));
  HOLDFAST_CHECK(impl_->db.query(
      "SELECT name, unit, better, summary FROM metrics WHERE position NOT NULL ORDER BY position",
      [&](const Statement& row) {
        description->metrics.push_back({.name = std::string(row.text(0)),
                                        .unit = std::string(row.text(1)),
                                        .better = parse_better(row.text(2)),
                                        .summary = std::string(row.text(3))});
      }));
  return description;
}

Result<std::vector<StoredPosition>> Store::positions() const {
  std::vector<StoredPosition> out;
  HOLDFAST_CHECK(impl_->db.query(
      "SELECT point, instances, scenarios FROM design ORDER BY position",
      [&](const Statement& row) {
        out.push_back({static_cast<std::uint32_t>(row.integer(0)), row.count(1), row.count(2)});
      }));
  return out;
}

Result<std::vector<std::uint32_t>> Store::strategy_ids() const {
  std::vector<std::uint32_t> out;
  HOLDFAST_CHECK(impl_->db.query(
      "SELECT id FROM strategies WHERE position NOT NULL ORDER BY position",
      [&](const Statement& row) { out.push_back(static_cast<std::uint32_t>(row.integer(0))); }));
  return out;
}

Status Store::for_each_cell(const Description& description,
                            const std::function<void(const StoredCell&)>& visit) const {
  std::string columns;
  for (const StoredMetric& metric : description.metrics) columns += ", " + column_name(metric.name);
  HOLDFAST_TRY(select, impl_->db.prepare(
                           fmt::format("SELECT point, strategy, instance, scenario, completed, "
                                       "in_statistics{} FROM cells WHERE seed = ?",
                                       columns)));
  select.bind_count(1, description.seed);
  std::vector<double> metrics(description.metrics.size());
  return impl_->db.query(select, [&](const Statement& row) {
    std::uint8_t flags = PointCells::kPresent;
    if (row.integer(4) != 0) flags |= PointCells::kCompleted;
    if (row.integer(5) != 0) flags |= PointCells::kInStatistics;
    for (std::size_t m = 0; m < metrics.size(); ++m) metrics[m] = row.real(static_cast<int>(6 + m));
    visit({.point = static_cast<std::uint32_t>(row.integer(0)),
           .strategy = static_cast<std::uint32_t>(row.integer(1)),
           .instance = row.count(2),
           .scenario = row.count(3),
           .flags = flags,
           .metrics = metrics});
  });
}

Status Store::begin_reading() const {
  return impl_->db.execute("BEGIN");
}
Status Store::end_reading() const {
  return impl_->db.execute("COMMIT");
}

}  // namespace holdfast
