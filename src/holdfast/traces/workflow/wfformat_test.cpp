#include "holdfast/traces/workflow/wfformat.hpp"

#include <doctest/doctest.h>

#include "support/oddity_counts.hpp"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;

namespace {

using Dependency = WorkflowRun::Dependency;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Result<WorkflowRun> read_wfformat(const std::filesystem::path& file) {
  HOLDFAST_TRY(source, open_input(file));
  return read_wfformat_lines(LineReader(std::move(source), file.string()));
}

double total(const WorkflowRun& run) {
  double sum = 0;
  for (const MeasuredTask& task : run.tasks) sum += task.runtime.value_or(0);
  return sum;
}

/// The same run as the sample, in the shapes of older versions.
const std::string kOld = R"({"name": "two-reads", "schemaVersion": "1.0", "workflow": {
  "makespan": 700, "jobs": [
    {"name": "split", "type": "compute", "runtime": 12.5, "cores": 1, "parents": [],
     "files": [{"link": "input", "name": "reads.fq", "size": 3000},
               {"link": "output", "name": "a.fq", "size": 1000},
               {"link": "output", "name": "b.fq", "size": 2000}]},
    {"name": "align_1", "runtime": 300, "cores": 4, "parents": ["split"], "files": []},
    {"name": "align_2", "runtime": 250, "cores": 4, "parents": ["split"]},
    {"name": "merge", "runtime": 0, "parents": ["align_1", "align_2"]}]}})";

}  // namespace

TEST_CASE("wfformat: 1.5 joins structure and measures by id") {
  const auto run = read_wfformat("src/holdfast/traces/samples/wfformat.json");
  REQUIRE(run);
  REQUIRE(run->tasks.size() == 4);
  CHECK(run->name == "two-reads");
  CHECK(run->makespan == 700.0);
  CHECK(run->tasks[1].id == "align_1");
  CHECK(run->tasks[1].name == "align");
  CHECK(run->tasks[1].runtime == 300.0);  // executions come in another order
  CHECK(run->tasks[2].runtime == 250.0);
  CHECK(run->tasks[2].cores == 4);
  CHECK(run->tasks[3].cores == 0);
  CHECK(run->tasks[0].input_bytes == 3000);
  CHECK(run->tasks[0].output_bytes == 3000);
  CHECK(run->tasks[3].input_bytes == 900);
  CHECK(run->dependencies == std::vector<Dependency>{{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  REQUIRE(run->oddities.list().size() == 1);
  CHECK(run->oddities.list()[0].what == "tasks of run time 0");
}

TEST_CASE(
    "wfformat: old shapes are recognised by their fields, not by the version that they state") {
  // 1.0 without children; tasks in place of jobs (1.3) with runtimeInSeconds (1.4); a version that is wrong.
  const std::string shapes[] = {
      kOld,
      replaced(kOld, "\"jobs\"", "\"tasks\""),
      replaced(replaced(kOld, "\"jobs\"", "\"tasks\""), "\"runtime\": 300",
               "\"runtimeInSeconds\": 300"),
      replaced(kOld, "\"1.0\"", "\"1.5\""),
      replaced(kOld, "\"parents\": [],",
               "\"parents\": [], \"children\": [\"align_1\", \"align_2\"],"),
  };
  for (const std::string& shape : shapes) {
    CAPTURE(shape);
    const auto run = read_wfformat_text(shape);
    REQUIRE(run);
    CHECK(run->dependencies == std::vector<Dependency>{{0, 1}, {0, 2}, {1, 3}, {2, 3}});
    CHECK(total(*run) == 562.5);
    CHECK(run->tasks[0].output_bytes == 3000);
    CHECK(run->tasks[0].id == "split");
  }
}

TEST_CASE("wfformat: parents are names before 1.5, ids since, and each may be the other") {
  // As in 1.2: ids exist and differ, parents are names.
  const std::string by_name =
      replaced(replaced(kOld, "\"name\": \"split\"", "\"name\": \"split\", \"id\": \"ID1\""),
               "\"name\": \"merge\"", "\"name\": \"merge\", \"id\": \"ID4\"");
  const std::string by_id = replaced(by_name, "\"parents\": [\"split\"]", "\"parents\": [\"ID1\"]");
  for (const std::string& shape : {by_name, by_id}) {
    const auto run = read_wfformat_text(shape);
    REQUIRE(run);
    CHECK(run->dependencies.size() == 4);
    CHECK(run->tasks[0].id == "ID1");
  }
}

TEST_CASE("wfformat: edges are the union of parents and children, each once") {
  const std::string text = R"({"workflow": {"tasks": [
    {"name": "a", "runtime": 1, "children": ["b", "c", "b"]},
    {"name": "b", "runtime": 1, "parents": ["a"]},
    {"name": "c", "runtime": 1, "parents": []}]}})";
  const auto run = read_wfformat_text(text);
  REQUIRE(run);
  CHECK(run->dependencies == std::vector<Dependency>{{0, 1}, {0, 2}});
  REQUIRE(run->oddities.list().size() == 2);
  CHECK(run->oddities.list()[0].what == "dependencies given twice");
  CHECK(run->oddities.list()[1].count == 1);  // a - c is stated by a alone
}

TEST_CASE("wfformat: what is wrong is refused at its place, with the task's name") {
  struct Row {
    std::string from;
    std::string to;
    std::string where;
    std::string message;
  };
  const Row rows[] = {
      {"[\"align_1\", \"align_2\"]", "[\"align_1\", \"align_3\"]", "/workflow/jobs/3/parents/1",
       "task 'merge': found 'align_3', which is no task of the workflow"},
      {"\"runtime\": 300", "\"runtime\": -3", "/workflow/jobs/1/runtime",
       "task 'align_1': found -3, expected a number of seconds, 0 or more"},
      {"\"runtime\": 300", "\"runtime\": \"long\"", "/workflow/jobs/1/runtime",
       "task 'align_1': found the string \"long\", expected a number of seconds, 0 or more"},
      {"\"name\": \"align_2\"", "\"name\": \"align_1\"", "/workflow/jobs/2/name",
       "task 'align_1': found the name 'align_1' twice, expected different ones"},
      {"[\"split\"]", "[\"align_1\"]", "/workflow/jobs/1/parents/0",
       "task 'align_1' waits for itself"},
      {"[\"split\"]", "\"split\"", "/workflow/jobs/1/parents",
       "task 'align_1': found the string \"split\", expected an array of texts"},
      {"\"jobs\"", "\"work\"", "/workflow",
       "found no list of tasks (specification.tasks, tasks or jobs), expected a workflow in "
       "WfFormat"},
      {"\"cores\": 1,", "", "", ""},  // nothing wrong with that
  };
  for (const Row& row : rows) {
    CAPTURE(row.to);
    const auto run = read_wfformat_text(replaced(kOld, row.from, row.to));
    if (row.where.empty()) {
      CHECK(run);
      continue;
    }
    REQUIRE(!run);
    CHECK(run.error().where == row.where);
    CHECK(run.error().message == row.message);
  }
  CHECK(read_wfformat_text("{\"workflow\": {\"tasks\": []}}").error().where == "/workflow/tasks");
  CHECK(read_wfformat_text("{\"workflow\": {\"tasks\": [{]}}").error().where == "1, column 26");
  CHECK(read_wfformat("no-such-file.json").error().where == "no-such-file.json");
}

TEST_CASE(
    "wfformat: tasks that wait for each other in a circle are counted with those after them") {
  // a before b before c before b, and d after c.
  const auto run = read_wfformat_text(
      R"({"workflow": {"jobs": [
        {"name": "a", "runtime": 1}, {"name": "b", "runtime": 1, "parents": ["a", "c"]},
        {"name": "c", "runtime": 1, "parents": ["b"]}, {"name": "d", "runtime": 1, "parents": ["c"]}
      ]}})");
  REQUIRE(run);
  CHECK(test::counts(run->oddities) ==
        test::Counts{{"tasks that wait for each other in a circle, or for such tasks", 3}});
}

TEST_CASE("wfformat: a name that several tasks share cannot be a parent; the id can") {
  const std::string text = R"({"workflow": {"specification": {"tasks": [
    {"name": "s", "id": "s1"}, {"name": "s", "id": "s2"}, {"name": "t", "id": "t", "parents": ["s2"]}]}}})";
  const auto run = read_wfformat_text(text);
  REQUIRE(run);
  CHECK(run->dependencies == std::vector<Dependency>{{1, 2}});
  CHECK(!run->tasks[0].runtime);
  const auto wrong = read_wfformat_text(replaced(text, "[\"s2\"]", "[\"s\"]"));
  REQUIRE(!wrong);
  CHECK(wrong.error().message == "task 't': found 's', which is the name of several tasks");
}

TEST_CASE("wfformat: what is written reads back as the same") {
  for (const auto& first : {read_wfformat("src/holdfast/traces/samples/wfformat.json"),
                            read_wfformat_text(replaced(kOld, "split\"", "sp\\\"lit\\u00e9\""))}) {
    if (!first) continue;
    const auto again = read_wfformat_text(wfformat_text(*first));
    REQUIRE(again);
    CHECK(again->name == first->name);
    CHECK(again->dependencies == first->dependencies);
    REQUIRE(again->tasks.size() == first->tasks.size());
    for (std::size_t i = 0; i < first->tasks.size(); ++i) {
      CHECK(again->tasks[i].id == first->tasks[i].id);
      CHECK(again->tasks[i].name == first->tasks[i].name);
      CHECK(again->tasks[i].runtime == first->tasks[i].runtime);
      CHECK(again->tasks[i].cores == first->tasks[i].cores);
      CHECK(again->tasks[i].input_bytes == first->tasks[i].input_bytes);
      CHECK(again->tasks[i].output_bytes == first->tasks[i].output_bytes);
    }
  }
}

TEST_CASE("wfformat: recognised by its beginning") {
  CHECK(looks_like_wfformat("  {\"name\": \"x\", \"schemaVersion\": \"1.3\""));
  CHECK(!looks_like_wfformat(
      "{\"holdfast\": {\"kind\": \"workflow-instance\"}, \"workflow\": \"x\"}"));
  CHECK(!looks_like_wfformat("node,down,up\n\"workflow\""));
}

TEST_CASE("wfformat: real files have the counts that their collection states") {
  struct Row {
    const char* file;
    std::size_t tasks;
    std::size_t edges;
    double total;
  };
  const Row rows[] = {
      {"1000genome-chameleon-22ch-250k-001.json.gz", 902, 1166, 53409.6},
      {"1000genome-chameleon-2ch-100k-001.json", 52, 76, 2771.3},
      {"airrflow-dirt02-001.json.gz", 212, 327, 3329.9},
      {"bacass-dirt02-001.json", 11, 14, 3961.9},
      {"blast-chameleon-large-001.json.gz", 103, 300, 154331.2},
      {"blast-chameleon-small-001.json", 43, 120, 382.9},
      {"bwa-chameleon-large-001.json.gz", 1004, 4000, 13276.7},
      {"bwa-chameleon-small-001.json.gz", 104, 400, 380.0},
      {"cycles-chameleon-1l-1c-9p-001.json.gz", 67, 97, 862.7},
      {"cycles-chameleon-5l-2c-9p-001.json.gz", 662, 970, 22375.8},
      {"epigenomics-chameleon-hep-1seq-100k-001.json", 41, 48, 539.3},
      {"epigenomics-chameleon-ilmn-6seq-50k-001.json.gz", 1695, 2108, 26060.0},
      {"helloworld-chain-5-chameleon.json", 5, 4, 501.2},
      {"helloworld-forkjoin-10-chameleon.json", 10, 16, 1028.7},
      {"mag-dirt02-001.json.gz", 157, 282, 3692.5},
      {"montage-chameleon-2mass-005d-001.json", 58, 114, 221.7},
      {"montage-chameleon-2mass-05d-001.json.gz", 1738, 4698, 8694.7},
      {"montage-chameleon-dss-15d-001.json.gz", 2122, 6114, 78087.5},
      {"rnaseq-dirt02-001.json.gz", 197, 451, 2580.4},
      {"seismology-chameleon-1000p-001.json.gz", 1001, 1000, 538.4},
      {"seismology-chameleon-100p-001.json", 101, 100, 71.9},
      {"soykb-chameleon-10fastq-10ch-001.json.gz", 96, 194, 11814.5},
      {"soykb-chameleon-50fastq-20ch-001.json.gz", 676, 1674, 118736.1},
      {"srasearch-chameleon-10a-001.json", 22, 30, 6996.8},
      {"srasearch-chameleon-50a-005.json", 104, 152, 74033.1},
      {"old-schema/blast-chameleon-small-001.wf1.0.json", 43, 120, 382.9},
      {"old-schema/blast-chameleon-small-001.wf1.2.json", 43, 120, 382.9},
      {"old-schema/blast-chameleon-small-001.wf1.3.json", 43, 120, 382.9},
      {"old-schema/blast-chameleon-small-001.wf1.4.json", 43, 120, 382.9},
      {"old-schema/epigenomics-chameleon-hep-1seq-100k-001.wf1.0.json", 41, 48, 539.3},
      {"old-schema/epigenomics-chameleon-hep-1seq-100k-001.wf1.1.json", 41, 48, 539.3},
      {"old-schema/epigenomics-chameleon-hep-1seq-100k-001.wf1.2.json", 41, 48, 539.3},
      {"old-schema/epigenomics-chameleon-hep-1seq-100k-001.wf1.3.json", 41, 48, 539.3},
      {"old-schema/epigenomics-chameleon-hep-1seq-100k-001.wf1.4.json", 41, 48, 539.3},
      {"old-schema/montage-chameleon-2mass-005d-001.wf1.1.json", 58, 114, 221.7},
      {"old-schema/montage-chameleon-2mass-005d-001.wf1.2.json", 58, 114, 221.7},
      {"old-schema/montage-chameleon-2mass-005d-001.wf1.3.json", 58, 114, 221.7},
      {"old-schema/montage-chameleon-2mass-005d-001.wf1.4.json", 58, 114, 221.7},
      {"old-schema/srasearch-chameleon-10a-001.wf1.0.json", 22, 30, 6996.8},
      {"old-schema/srasearch-chameleon-10a-001.wf1.2.json", 22, 30, 6996.8},
      {"old-schema/srasearch-chameleon-10a-001.wf1.4.json", 22, 30, 6996.8},
  };
  const char* given = std::getenv("HOLDFAST_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(given != nullptr ? given : "../shared/data") / "workflows";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("skipped: no real workflows, " << folder.string() << " is not there");
    return;
  }
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const auto run = read_wfformat(folder / row.file);
    REQUIRE(run);
    CHECK(run->tasks.size() == row.tasks);
    CHECK(run->dependencies.size() == row.edges);
    CHECK(std::abs(total(*run) - row.total) <= 0.0500001);  // one decimal is stated
  }
}
