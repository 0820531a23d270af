#include "holdfast/campaign/export.hpp"

#include "holdfast/base/value.hpp"
#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/run.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <string>

using namespace holdfast;

namespace {

/// One step of mean 1 and no power: lengths are the exponential numbers of the stream times the stride.
std::string exported(const Scratch& scratch, const std::string& parameters, ExportFormat format) {
  const auto file = parse_campaign(
      "[campaign]\nname = 'a \"b\"'\ndomain = 'walk'\nscenarios = 2\nstrategies = ['bold:by=1', "
      "'steady']\n[parameters]\n" +
          parameters,
      "walk.toml", ".", fake::known());
  REQUIRE(file);
  REQUIRE(run_campaign(*file, scratch / "out"));
  const auto results = Results::open(scratch / "out");
  const auto path = export_results(*results, format);
  REQUIRE(path);
  return read_text(*path);
}

}  // namespace

TEST_CASE("export: csv, one row per cell and metric in the order of the design") {
  const Scratch scratch;
  // Scenario 1 of `bold` has no pace; limit 1: the second walk does not complete.
  CHECK(exported(scratch, "steps = 1\nlimit = 1\nages = [[0, 0]]\nstride = ['1s', 2]\n",
                 ExportFormat::csv) ==
        R"(ages,stride_s,instance,scenario,strategy,metric,unit,value,completed
"[0,0]",1,0,0,bold:by=1,length,slots,0.3247783318232127,1
"[0,0]",1,0,0,bold:by=1,pace,,3.079023142911924,1
"[0,0]",1,0,0,bold:by=1,steps,,1,1
"[0,0]",1,0,0,steady,length,slots,0.3247783318232127,1
"[0,0]",1,0,0,steady,pace,,3.079023142911924,1
"[0,0]",1,0,0,steady,steps,,1,1
"[0,0]",1,0,1,bold:by=1,length,slots,2.1248980466072136,0
"[0,0]",1,0,1,bold:by=1,steps,,1,0
"[0,0]",1,0,1,steady,length,slots,2.1248980466072136,0
"[0,0]",1,0,1,steady,pace,,0.47061081429138774,0
"[0,0]",1,0,1,steady,steps,,1,0
"[0,0]",2,0,0,bold:by=1,length,slots,0.6495566636464254,1
"[0,0]",2,0,0,bold:by=1,pace,,1.539511571455962,1
"[0,0]",2,0,0,bold:by=1,steps,,1,1
"[0,0]",2,0,0,steady,length,slots,0.6495566636464254,1
"[0,0]",2,0,0,steady,pace,,1.539511571455962,1
"[0,0]",2,0,0,steady,steps,,1,1
"[0,0]",2,0,1,bold:by=1,length,slots,4.249796093214427,0
"[0,0]",2,0,1,bold:by=1,steps,,1,0
"[0,0]",2,0,1,steady,length,slots,4.249796093214427,0
"[0,0]",2,0,1,steady,pace,,0.23530540714569387,0
"[0,0]",2,0,1,steady,steps,,1,0
)");
}

TEST_CASE("export: json, the same rows as objects") {
  const Scratch scratch;
  const std::string text = exported(scratch, "steps = 1\nstride = ['1s']\n", ExportFormat::json);
  CHECK(text == R"({
  "holdfast": {"kind": "campaign-results", "version": 2},
  "name": "a \"b\"",
  "domain": "walk",
  "seed": 1,
  "parameters": [{"column":"stride_s","parameter":"stride","unit":"s"}],
  "rows": [
    {"stride_s": 1, "instance": 0, "scenario": 0, "strategy": "bold:by=1", "metric": "length", "unit": "slots", "value": 0.3247783318232127, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 0, "strategy": "bold:by=1", "metric": "pace", "unit": "", "value": 3.079023142911924, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 0, "strategy": "bold:by=1", "metric": "steps", "unit": "", "value": 1, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 0, "strategy": "steady", "metric": "length", "unit": "slots", "value": 0.3247783318232127, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 0, "strategy": "steady", "metric": "pace", "unit": "", "value": 3.079023142911924, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 0, "strategy": "steady", "metric": "steps", "unit": "", "value": 1, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 1, "strategy": "bold:by=1", "metric": "length", "unit": "slots", "value": 2.1248980466072136, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 1, "strategy": "bold:by=1", "metric": "steps", "unit": "", "value": 1, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 1, "strategy": "steady", "metric": "length", "unit": "slots", "value": 2.1248980466072136, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 1, "strategy": "steady", "metric": "pace", "unit": "", "value": 0.47061081429138774, "completed": true},
    {"stride_s": 1, "instance": 0, "scenario": 1, "strategy": "steady", "metric": "steps", "unit": "", "value": 1, "completed": true}
  ]
}
)");
  const auto document = parse_json(text);
  REQUIRE(document);
  CHECK(document->find("rows")->array_items()->size() == 2 * 2 * 3 - 1);
}

TEST_CASE("export: a campaign without a finished cell has no rows") {
  const Scratch scratch;
  const auto file =
      parse_campaign("[campaign]\nname = 'x'\ndomain = 'walk'\n", "walk.toml", ".", fake::known());
  const std::atomic<bool> stop = true;
  REQUIRE(run_campaign(*file, scratch / "out", {.control = {.stop = &stop}}));
  const auto results = Results::open(scratch / "out");
  REQUIRE(export_results(*results, ExportFormat::csv));
  CHECK(read_text(scratch / "out" / "results.csv") ==
        "instance,scenario,strategy,metric,unit,value,completed\n");
  REQUIRE(export_results(*results, ExportFormat::json));
  CHECK(parse_json(read_text(scratch / "out" / "results.json")));
}

TEST_CASE("export: sqlite, a row per cell and a column per metric") {
  const Scratch scratch;
  exported(scratch, "steps = 1\nlimit = 1\nstride = ['1s', 2, 1]\n", ExportFormat::csv);
  const auto results = Results::open(scratch / "out");
  const auto path = export_results(*results, ExportFormat::sqlite);
  REQUIRE(path);
  CHECK(path->filename() == "cells.sqlite");
  const auto db = Database::open(path->string(), Database::Mode::read);
  REQUIRE(db);
  std::string rows;
  // A position has its rows, also where two of them are the same point.
  REQUIRE(db->query(
      "SELECT position, parameters, strategy_text, seed, instance, scenario, completed, "
      "in_statistics, length, pace, seconds >= 0 FROM results WHERE position <> 1 AND scenario = 1 "
      "ORDER BY position, strategy_text",
      [&](const Statement& row) {
        for (int column = 0; column < row.columns(); ++column)
          rows += std::string(row.text(column)) + (column + 1 < row.columns() ? "|" : "\n");
      }));
  CHECK(rows == R"(0|{"stride":"1s"}|bold:by=1|1|0|1|0|1|2.12489804660721||1
0|{"stride":"1s"}|steady|1|0|1|0|1|2.12489804660721|0.470610814291388|1
2|{"stride":1}|bold:by=1|1|0|1|0|1|2.12489804660721||1
2|{"stride":1}|steady|1|0|1|0|1|2.12489804660721|0.470610814291388|1
)");
  CHECK(db->number("SELECT count(*) FROM results").value() == 12);
}

TEST_CASE("export: formats by name") {
  CHECK(*parse_export_format("json", "/export") == ExportFormat::json);
  CHECK(parse_export_format("xml", "/export").error().text() ==
        "/export: found 'xml', expected csv, json or sqlite");
}
