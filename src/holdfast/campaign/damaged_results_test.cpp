// A results file may come from anywhere: whatever it holds is read or refused, and damage is noticed.
#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/old_rows.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/store.hpp"
#include "holdfast/campaign/workload.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <chrono>
#include <set>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

namespace fs = std::filesystem;

/// 3 points, 10 scenarios, 2 strategies: 60 cells.
Campaign campaign_to_damage() {
  auto parsed = parse_campaign(
      "[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = 10\n[parameters]\nsteps = [2, 3, "
      "4]\n",
      "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

fs::path results_in(const Scratch& scratch) {
  REQUIRE(run_campaign(campaign_to_damage(), scratch / "out", {.control = {.threads = 1}}));
  return scratch / "out";
}

void change(const fs::path& directory, const std::string& sql) {
  const auto db = Database::open((directory / Store::kFile).string(), Database::Mode::write);
  REQUIRE(db);
  REQUIRE(db->execute("PRAGMA synchronous = OFF"));  // hundreds of changes, and no power cut
  const Status done = db->execute(sql);
  INFO((done ? std::string() : done.error().text()));
  REQUIRE(done);
}

/// Everything that a page, a table and an export read.
Status read_all(const fs::path& directory) {
  HOLDFAST_TRY(results, Results::open(directory));
  HOLDFAST_CHECK(results.status());
  return results.for_each_point([](const PointCells& cells) -> Status {
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      static_cast<void>(cells.cell(draw, 0));
    }
    return {};
  });
}

/// Returns each cell with its place and all its values.
Result<std::set<std::string>> cells_of(const Results& results) {
  std::set<std::string> out;
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
        const auto cell = cells.cell(draw, strategy);
        if (!cell) continue;
        std::string text =
            to_compact_json(Value(Value::Array(results.parameters(cells.position()))));
        text += " " + std::to_string(draw) + " " + std::to_string(strategy) + " " +
                std::to_string(cell->completed) + std::to_string(cell->in_statistics);
        for (std::size_t m = 0; m < cells.metrics(); ++m)
          text += " " + std::to_string(cells.metric(draw, strategy, m));
        out.insert(std::move(text));
      }
    }
    return {};
  }));
  return out;
}

/// The same of a directory, whether its cells are kept in memory or in a file.
Result<std::set<std::string>> cells_of(const fs::path& directory) {
  HOLDFAST_TRY(results, Results::open(directory));
  auto out = cells_of(results);
  results.keep_at_most(0);
  const auto in_file = cells_of(results);
  CHECK(in_file.has_value() == out.has_value());
  CHECK((out ? *in_file == *out : in_file.error().text() == out.error().text()));
  return out;
}

/// Returns the message with which a directory is refused. The rest of the error is the same for all, and checked here.
std::string refusal(const fs::path& directory) {
  const Status read = read_all(directory);
  if (read) return "nothing was refused";
  CHECK(exit_code(read.error().code) == 3);
  CHECK(read.error().where.starts_with((directory / Store::kFile).string()));
  return read.error().message;
}

/// Turns a file into one of an earlier schema, whose cells are rows.
void make_schema(int schema, const fs::path& directory) {
  REQUIRE((schema == 1 ? old_rows::make_schema_1(directory) : old_rows::make_schema_2(directory)));
}

}  // namespace

TEST_CASE(
    "damaged results: rows that cannot be are refused with the table, the row and what was "
    "expected") {
  struct Case {
    const char* sql;
    const char* says;
  };
  const std::vector<Case> cases = {
      {"UPDATE design SET instances = 4294967296 WHERE position = 1",
       "table design, row 1: found 4294967296 as instances, expected a whole number from 1 to "
       "1000000000"},
      {"UPDATE design SET instances = 1000000000, scenarios = 1000000000",
       "table design, row 0: found more than 1000000000 cells, expected at most that"},
      {"UPDATE design SET scenarios = 0", "table design, row 0: found 0 as scenarios"},
      {"UPDATE design SET scenarios = 'many'", "table design, row 0: found a text as scenarios"},
      {"UPDATE design SET scenarios = 1.5", "table design, row 0: found 1.5 as scenarios"},
      {"UPDATE design SET point = -1 WHERE position = 2",
       "table design, row 2: found -1 as point, expected a whole number from 1 to 3"},
      {"UPDATE design SET point = 4294967295", "table design, row 0: found 4294967295 as point"},
      {"DELETE FROM design", "found 0 points in the table design, expected 3 from the axes"},
      {"DELETE FROM design WHERE position = 0",
       "table design, row 1: found 1 as position, expected 0"},
      {"UPDATE strategies SET position = NULL", "found no strategies, expected at least one"},
      {"DELETE FROM strategies", "found no strategies, expected at least one"},
      {"UPDATE strategies SET text = ''  WHERE id = 1",
       "table strategies, row 1: found an empty text"},
      {"UPDATE strategies SET id = 4294967290 WHERE id = 2", "expected 2"},
      {"UPDATE metrics SET position = NULL", "found no metrics, expected at least one"},
      {"UPDATE metrics SET better = 'large' WHERE name = 'length'",
       "expected lower, higher or neither"},
      {"UPDATE points SET digest = x'00' WHERE id = 2",
       "table points, row 2: found a digest of 1 bytes, expected 16"},
      {"UPDATE points SET digest = zeroblob(1000000) WHERE id = 2",
       "found a digest of 1000000 bytes"},
      {"UPDATE meta SET value = 'x' WHERE key = 'campaign'", "found no description of a campaign"},
      {"UPDATE meta SET value = json_set(value, '$.axes', 7) WHERE key = 'campaign'",
       "found something else in the description of the campaign, expected a list"},
      {"UPDATE meta SET value = json_set(value, '$.axes[0].values', json('[]')) WHERE key = "
       "'campaign'",
       "expected parameters with at least one value each"},
      {"UPDATE meta SET value = json_set(value, '$.baseline', 7) WHERE key = 'campaign'",
       "found strategy 7 as the baseline, expected one below 2"},
      {"UPDATE meta SET value = json_set(value, '$.seed', -3) WHERE key = 'campaign'",
       "expected a whole number"},
      {"UPDATE cells SET point = -1 WHERE rowid = 17",
       "table cells, row 17: found -1 as point, expected a whole number from 1 to 3; to compute "
       "this "
       "cell again, remove the row (sqlite3 FILE 'DELETE FROM cells WHERE rowid = 17') and run the "
       "campaign again"},
      {"UPDATE cells SET point = 4294967295 WHERE rowid = 17", "row 17: found 4294967295 as point"},
      {"UPDATE cells SET strategy = x'0102' WHERE rowid = 5", "row 5: found 2 bytes as strategy"},
      {"UPDATE cells SET instance = -9223372036854775808 WHERE rowid = 5", "as instance"},
      {"UPDATE cells SET completed = 2 WHERE rowid = 5", "row 5: found 2 as completed"},
      {"UPDATE cells SET in_statistics = 'nan' WHERE rowid = 5", "found a text as in_statistics"},
      {"UPDATE cells SET length = 'long' WHERE rowid = 60",
       "row 60: found a text as length, expected a finite number or nothing"},
      {"UPDATE cells SET length = 9e999 WHERE rowid = 60", "row 60: found inf as length"},
      {"UPDATE cells SET length = x'' WHERE rowid = 60", "row 60: found 0 bytes as length"},
  };
  for (const bool is_old : {false, true}) {
    const Scratch scratch;
    const fs::path whole = results_in(scratch);
    make_schema(is_old ? 1 : 2, whole);
    for (const Case& one : cases) {
      CAPTURE(one.sql);
      fs::remove_all(scratch / "copy");
      fs::copy(whole, scratch / "copy");
      change(scratch / "copy", one.sql);
      // A correct checksum, as an attacker would make it, would not help either: the old file has none.
      const std::string said = refusal(scratch / "copy");
      const bool is_description =
          std::string_view(one.says).find("row 17") == std::string_view::npos &&
          std::string_view(one.sql).find("cells") == std::string_view::npos;
      if (!is_old && is_description) {
        CHECK(said.starts_with("the description of the campaign is damaged: its checksum differs"));
      } else {
        CHECK(said.find(one.says) != std::string::npos);
      }
    }
  }
}

TEST_CASE("damaged results: a metric that lost its name is refused where a run would go on") {
  const Scratch scratch;
  const fs::path out = results_in(scratch);
  make_schema(1, out);
  change(out, "UPDATE metrics SET name = 'width' WHERE name = 'length'");
  const auto refused = run_campaign(campaign_to_damage(), out);
  REQUIRE_FALSE(refused);
  CHECK(exit_code(refused.error().code) == 3);
}

TEST_CASE("damaged results: where the message names --force, that replaces the file") {
  const Scratch scratch;
  const fs::path out = results_in(scratch);
  change(out, "UPDATE design SET instances = 4294967296");
  CHECK(exit_code(run_campaign(campaign_to_damage(), out).error().code) == 3);
  const auto report = run_campaign(campaign_to_damage(), out, {.force = true});
  REQUIRE(report);
  CHECK(report->progress.found == 0);
  CHECK(read_all(out));
}

TEST_CASE("damaged results: a wrong value within its range is noticed by its checksum") {
  const Scratch scratch;
  const fs::path whole = results_in(scratch);
  make_schema(2, whole);
  for (const std::string column :
       {"point", "strategy", "instance", "scenario", "completed", "in_statistics"}) {
    CAPTURE(column);
    fs::remove_all(scratch / "copy");
    fs::copy(whole, scratch / "copy");
    const std::string other = column == "point" || column == "strategy" ? "3 - " : "1 - ";
    change(scratch / "copy",
           "UPDATE cells SET " + column + " = " + other + column +
               " WHERE rowid = (SELECT max(rowid) FROM cells WHERE point < 3 AND scenario < 2)");
    CHECK(refusal(scratch / "copy").find("the row is damaged: its checksum differs") !=
          std::string::npos);
  }
  for (const std::string sql : {"UPDATE cells SET length = length * 2 WHERE rowid = 9",
                                "UPDATE cells SET length = -length WHERE rowid = 9",
                                "UPDATE cells SET length = NULL WHERE rowid = 9",
                                "UPDATE cells SET length = steps, steps = length WHERE rowid = 9",
                                "UPDATE cells SET seconds = 0 WHERE rowid = 9",
                                "UPDATE cells SET checksum = NULL WHERE rowid = 9",
                                "UPDATE programs SET version = '9.9'"}) {
    CAPTURE(sql);
    fs::remove_all(scratch / "copy");
    fs::copy(whole, scratch / "copy");
    change(scratch / "copy", sql);
    const std::string said = refusal(scratch / "copy");
    CHECK(said.starts_with("table cells, row "));
    CHECK(said.find("the row is damaged: its checksum differs; to compute this cell again") !=
          std::string::npos);
    // A run that would continue reports it before the first cell, and not after hours.
    const auto again = run_campaign(campaign_to_damage(), scratch / "copy");
    REQUIRE_FALSE(again);
    CHECK(exit_code(again.error().code) == 3);
  }
  // The remedy that the message names.
  change(scratch / "copy",
         "UPDATE programs SET version = (SELECT json_extract(value, '$.version') FROM "
         "meta WHERE key = 'campaign')");
  change(scratch / "copy", "UPDATE cells SET pace = 3 WHERE rowid = 9");
  change(scratch / "copy", "DELETE FROM cells WHERE rowid = 9");
  CHECK(run_campaign(campaign_to_damage(), scratch / "copy")->progress.found == 59);
  CHECK(read_all(scratch / "copy"));
}

TEST_CASE(
    "damaged results: two rows of one cell are one where they agree, and damage where they "
    "differ") {
  const Scratch scratch;
  fs::path out = results_in(scratch);
  make_schema(2, out);
  const auto cells = cells_of(out);
  change(out, "INSERT INTO cells SELECT * FROM cells");
  const auto again = cells_of(out);
  REQUIRE((cells && again));
  CHECK(*again == *cells);
  CHECK(Results::open(out)->status()->cells_done == 60);
  CHECK(run_campaign(campaign_to_damage(), out)->progress.found == 60);
  const Scratch other;
  out = results_in(other);
  make_schema(1, out);
  change(out, "INSERT INTO cells SELECT * FROM cells WHERE rowid = 7");
  CHECK(read_all(out));
  CHECK(Results::open(out)->status()->cells_done == 60);
  change(out, "UPDATE cells SET length = length + 1 WHERE rowid = 61");
  CHECK(refusal(out).starts_with(
      "table cells, row 61: found another result of a cell that an earlier row has"));
}

TEST_CASE("damaged results: nothing that a file holds is run") {
  const Scratch scratch;
  const fs::path whole = results_in(scratch);
  make_schema(2, whole);
  const std::vector<std::string> crafted = {
      // A view that never ends.
      "DROP TABLE design; CREATE VIEW design AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT "
      "i FROM n) "
      "SELECT i AS position, 1 AS point, '' AS parameters, 1 AS instances, 1 AS scenarios FROM n",
      "DROP TABLE meta; CREATE VIRTUAL TABLE meta USING fts5(key, value)",
      "ALTER TABLE design ADD COLUMN big GENERATED ALWAYS AS (zeroblob(1000000000))",
      "DROP TABLE cells",
      "ALTER TABLE cells RENAME COLUMN length TO width",
      "PRAGMA user_version = 0",
      "PRAGMA user_version = -7",
      "PRAGMA application_id = 7"};
  for (const std::string& sql : crafted) {
    CAPTURE(sql);
    fs::remove_all(scratch / "copy");
    fs::copy(whole, scratch / "copy");
    change(scratch / "copy", sql);
    const auto start = std::chrono::steady_clock::now();
    CHECK(refusal(scratch / "copy") != "nothing was refused");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
  }
  // A trigger is not run when cells are added.
  fs::remove_all(scratch / "copy");
  fs::copy(whole, scratch / "copy");
  change(scratch / "copy",
         "CREATE TRIGGER harm AFTER INSERT ON programs BEGIN DELETE FROM design; END; "
         "DELETE FROM cells WHERE rowid = 3");
  REQUIRE(run_campaign(campaign_to_damage(), scratch / "copy"));
  CHECK(Results::open(scratch / "copy")->status()->cells_done == 60);
}

TEST_CASE(
    "damaged results: a byte that changed anywhere is refused or changes nothing that is read") {
  for (const bool is_old : {false, true}) {
    const Scratch scratch;
    const fs::path out = results_in(scratch);
    if (is_old) make_schema(2, out);
    const auto expected = cells_of(out);
    REQUIRE(expected);
    REQUIRE(expected->size() == 60);
    const std::string whole = read_text(out / Store::kFile);
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); at += 37) {
      CAPTURE(at);
      CAPTURE(is_old);
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
      write_text(out / Store::kFile, damaged);
      const auto found = cells_of(out);
      if (!found) {
        ++refused;
        CHECK(exit_code(found.error().code) != 1);
        continue;
      }
      // Cells may be missing, and are computed again; none may have other values.
      for (const std::string& cell : *found) {
        CAPTURE(cell);
        CHECK(expected->contains(cell));
      }
    }
    CHECK(refused > 60);
  }
}

TEST_CASE("damaged results: a block is refused with its row, what was expected, and a remedy") {
  struct Case {
    const char* sql;
    const char* says;
  };
  constexpr const char* kSum =
      "the row is damaged: its checksum differs; to compute its cells again";
  const std::vector<Case> cases = {
      {"UPDATE blocks SET cells = 0", "found 0 as cells, expected a whole number from 1 to 65536"},
      {"UPDATE blocks SET cells = 1000000000", "found 1000000000 as cells"},
      {"UPDATE blocks SET cells = 59", kSum},
      {"UPDATE blocks SET program = 2", "found 2 as program, expected a whole number from 1 to 1"},
      {"UPDATE blocks SET layout = 'x'", "found a text as layout"},
      {"UPDATE blocks SET bytes = 7", "found 7 as bytes, expected a text"},
      {"UPDATE blocks SET bytes = zeroblob(10)", kSum},
      {"UPDATE blocks SET bytes = bytes || x'00'", kSum},
      {"UPDATE blocks SET checksum = checksum + 1", kSum},
      {"UPDATE programs SET version = '9.9'", kSum},
      {"UPDATE layouts SET metrics = replace(metrics, 'length', 'width')", kSum}};
  const Scratch scratch;
  const fs::path whole = results_in(scratch);
  for (const Case& one : cases) {
    fs::remove_all(scratch / "copy");
    fs::copy(whole, scratch / "copy");
    change(scratch / "copy", one.sql);
    const std::string said = refusal(scratch / "copy");
    INFO(std::string(one.sql), ": ", said);
    CHECK(said.starts_with("table blocks, row 1: "));
    CHECK(said.find(one.says) != std::string::npos);
    // A run that would continue reports it before the first cell.
    const auto again = run_campaign(campaign_to_damage(), scratch / "copy");
    REQUIRE_FALSE(again);
    CHECK(exit_code(again.error().code) == 3);
  }
  // The remedy that the message names; and a block that was stored twice, as by a merge that was killed.
  change(scratch / "copy", "DELETE FROM blocks WHERE rowid = 1");
  CHECK(run_campaign(campaign_to_damage(), scratch / "copy")->progress.found < 60);
  CHECK(cells_of(scratch / "copy").value() == cells_of(whole).value());
  change(whole,
         "INSERT INTO blocks(seed, program, layout, cells, checksum, bytes) SELECT seed, "
         "program, layout, cells, checksum, bytes FROM blocks");
  CHECK(cells_of(scratch / "copy").value() == cells_of(whole).value());
}

TEST_CASE("damaged results: a metric of minus zero, which SQLite keeps as zero, is not damage") {
  const Scratch scratch;
  const Campaign walks = campaign_to_damage();
  const auto design = Design::make(walks);
  REQUIRE(design);
  {
    fs::create_directory(scratch / "out");
    auto store = Store::open(scratch / "out");
    REQUIRE(store);
    REQUIRE(store->describe(*design));
    Batch batch;
    Outcome outcome;
    outcome.metrics = {-0.0, 1.0, -0.0};
    batch.add({.point = 0, .strategy = 0, .instance = 0, .scenario = 0}, outcome, .5);
    REQUIRE(store->append(batch));
    REQUIRE(store->close());
  }
  CHECK(read_all(scratch / "out"));
}

TEST_CASE(
    "damaged results: a file from before checksums is read, continued, and says what cannot be "
    "checked") {
  const Scratch scratch;
  const fs::path out = results_in(scratch);
  REQUIRE(export_results(*Results::open(out), ExportFormat::csv));
  const std::string expected = read_text(out / "results.csv");
  make_schema(1, out);
  change(out,
         "DELETE FROM cells WHERE rowid > 50; UPDATE meta SET value = json_set(value, '$.version', "
         "'0.0.9') "
         "WHERE key = 'campaign'");
  {
    const auto results = Results::open(out);
    REQUIRE(results);
    CHECK(results->provenance().unchecked == 50);
    CHECK(results->provenance().versions == std::vector<std::string>{"0.0.9"});
    CHECK(results->status()->cells_done == 50);
  }
  const auto report = run_campaign(campaign_to_damage(), out);
  REQUIRE(report);
  CHECK(report->progress.found == 50);
  REQUIRE(report->warnings.size() == 2);
  CHECK(report->warnings[0].starts_with(
      "cells found in this directory were computed by holdfast 0.0.9, new ones by "));
  CHECK(report->warnings[1] ==
        "the first 50 cells of this directory were stored by a holdfast that kept no checksums: "
        "whether they are "
        "damaged cannot be checked");
  const auto results = Results::open(out);
  REQUIRE(results);
  CHECK(results->provenance().versions ==
        std::vector<std::string>{"0.0.9", std::string(version())});
  REQUIRE(export_results(*results, ExportFormat::csv));
  CHECK(read_text(out / "results.csv") == expected);
  // The new ones are checked.
  change(out, "UPDATE blocks SET bytes = zeroblob(30)");
  CHECK(refusal(out).starts_with("table blocks, row 1: the row is damaged"));
}
