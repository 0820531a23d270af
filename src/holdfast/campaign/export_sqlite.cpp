#include "holdfast/campaign/export_sqlite.hpp"

#include "holdfast/campaign/cell_table.hpp"
#include "holdfast/campaign/database.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace holdfast {
namespace {

constexpr std::string_view kColumns =
    "position INTEGER, parameters TEXT, strategy_text TEXT, seed INTEGER, instance INTEGER, "
    "scenario INTEGER, completed INTEGER, in_statistics INTEGER, seconds REAL";
constexpr int kFixed = 9;

/// Returns the parameters of each position as JSON.
std::vector<std::string> parameters_of(const Results& results) {
  std::vector<std::string> out;
  for (std::size_t position = 0; position < results.points(); ++position) {
    const std::vector<Value> values = results.parameters(position);
    Value parameters = Value::object();
    for (std::size_t i = 0; i < values.size(); ++i)
      parameters.set(results.description().axes[i].name, values[i]);
    out.push_back(to_compact_json(parameters));
  }
  return out;
}

Status insert_rows(const Database& db, const Results& results, Statement& insert) {
  const std::vector<std::string> parameters = parameters_of(results);
  const std::vector<std::string>& strategies = results.description().strategies;
  insert.bind_count(4, results.description().seed);
  return results.for_each_stored([&](const StoredRun& run) -> Status {
    insert.bind_count(1, run.position);
    insert.bind_text(2, parameters[run.position]);
    insert.bind_text(3, strategies[run.strategy]);
    insert.bind_count(5, run.instance);
    insert.bind_count(6, run.scenario);
    insert.bind(7, run.cell.completed ? 1 : 0);
    insert.bind(8, run.cell.in_statistics ? 1 : 0);
    insert.bind_real(9, run.seconds);
    for (std::size_t m = 0; m < run.cell.metrics.size(); ++m)
      insert.bind_real(kFixed + 1 + static_cast<int>(m), run.cell.metrics[m]);
    return db.run(insert);
  });
}

}  // namespace

Status write_sqlite(const Results& results, const std::filesystem::path& file) {
  HOLDFAST_TRY(db, Database::open(file.string(), Database::Mode::alone));
  std::string columns(kColumns);
  std::string places = "?, ?, ?, ?, ?, ?, ?, ?, ?";
  for (const StoredMetric& metric : results.description().metrics) {
    columns += fmt::format(", {} REAL", column_name(metric.name));
    places += ", ?";
  }
  // The file has its name only when it is whole, so that nothing must be undone.
  HOLDFAST_CHECK(db.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"));
  return db.transaction([&]() -> Status {
    HOLDFAST_CHECK(db.execute(fmt::format("CREATE TABLE results({})", columns)));
    HOLDFAST_TRY(insert, db.prepare(fmt::format("INSERT INTO results VALUES({})", places)));
    return insert_rows(db, results, insert);
  });
}

}  // namespace holdfast
