#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include "support/oddity_counts.hpp"
#include "support/read_text.hpp"
#include "support/shared_data.hpp"
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;
using holdfast::test::counts;
using holdfast::test::Counts;
using holdfast::test::read_text;
using holdfast::test::shared_data;

namespace {

Result<MachineTable> machines(const std::filesystem::path& path) {
  HOLDFAST_TRY(trace, open_trace(path));
  REQUIRE(trace.format->as<MachineTable>() != nullptr);
  return trace.format->as<MachineTable>()->read(std::move(trace.lines));
}

}  // namespace

TEST_CASE("alibaba-pods: thousandths, shares of a GPU, pods that were never scheduled") {
  const auto log = read_job_log("src/holdfast/traces/samples/alibaba-pods.csv");
  REQUIRE(log);
  REQUIRE(log->jobs.size() == 3);
  // 12 CPUs, 16384 MiB = 16777216 KB / 12 each; one whole GPU.
  CHECK(log->jobs[0] == LoggedJob{.number = 0,
                                  .submit = 0,
                                  .wait = 0,
                                  .run = 900,
                                  .processors = 12,
                                  .requested_processors = 12,
                                  .requested_memory = 16777216.0 / 12,
                                  .gpus = 1});
  // 6.5 CPUs are 7; 460 thousandths of a GPU; failed.
  CHECK(log->jobs[1] == LoggedJob{.number = 1,
                                  .submit = 100,
                                  .wait = 30,
                                  .run = 270,
                                  .processors = 7,
                                  .requested_processors = 7,
                                  .requested_memory = 12288.0 * 1024 / 7,
                                  .status = 0,
                                  .gpus = 0.46});
  CHECK(log->jobs[2] == LoggedJob{.number = 2,
                                  .submit = 200,
                                  .requested_processors = 8,
                                  .requested_memory = 30517.0 * 1024 / 8,
                                  .gpus = 8});
  CHECK(counts(log->facts.oddities) == Counts{{"jobs that never started", 1},
                                              {"jobs that asked for fractions of a CPU", 1},
                                              {"jobs that share a GPU", 1},
                                              {"jobs with status 0 (failed)", 1}});
}

TEST_CASE("alibaba-pods: errors name their place") {
  const std::string header =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,"
      "scheduled_time\n";
  const struct {
    const char* row;
    const char* message;
  } rows[] = {
      {"a,x,1,1,1000,Running,0,9,1\n",
       "p.csv:2: cpu_milli: found 'x', expected a whole number of at most 2^53"},
      {"a,1,1,1,1000,Running,,9,1\n",
       "p.csv:2: creation_time: found nothing, expected when the job was submitted"},
      {"a,1,1,1,1000,Running,0,x,1\n",
       "p.csv:2: deletion_time: found 'x', expected seconds or a date such as 2024-03-01T10:00"},
      {"", "p.csv:1: found no job, expected at least one"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.row);
    const auto log = read_text<JobLog>("alibaba-pods", header + row.row, "p.csv");
    REQUIRE_FALSE(log);
    CHECK(log.error().text() == row.message);
  }
  const auto log = read_text<JobLog>("alibaba-pods", header + "a,1,1,1,1000,Running,0,-9,1\n");
  REQUIRE(log);
  CHECK(log->jobs[0].run == -1);
  CHECK(std::ranges::any_of(counts(log->facts.oddities), [](const auto& told) {
    return told.first.starts_with("jobs that end before they start") && told.second == 1;
  }));
}

TEST_CASE("alibaba-pods: a number that is too long for a job is replaced by the position") {
  const auto log = read_text<JobLog>(
      "alibaba-pods",
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,"
      "scheduled_time\npod-7,1,1,1,1000,Running,0,9,1\n"
      "pod-9007199254740993,1,1,1,1000,Running,0,9,1\n");
  REQUIRE(log);
  CHECK(log->jobs[0].number == 7);
  CHECK(log->jobs[1].number == 1);
}

TEST_CASE("alibaba-nodes: what is in each") {
  const auto table = machines("src/holdfast/traces/samples/alibaba-nodes.csv");
  REQUIRE(table);
  REQUIRE(table->machines.size() == 2);
  CHECK(table->machines[1].kind == "P100");
  CHECK(table->machines[1].cores == 96.0);
  CHECK(table->machines[1].gpus == 2.0);
  CHECK(table->machines[1].memory == 393216.0 * 1048576);
  CHECK(counts(table->oddities) == Counts{{"nodes without a GPU", 1}});
  const auto nameless = read_text<MachineTable>(
      "alibaba-nodes", "sn,cpu_milli,memory_mib,gpu,model\n,1000,1024,0,\n", "n.csv");
  REQUIRE(!nameless);
  CHECK(nameless.error().text() == "n.csv:2: sn: found nothing, expected a machine's name");
}

TEST_CASE("fta tables: distinguished by ids, NULL is nothing, tabs or blanks") {
  const auto components = machines("src/holdfast/traces/samples/fta-component.tab");
  REQUIRE(components);
  REQUIRE(components->machines.size() == 2);
  CHECK(components->machines[0].id == "1.0");
  CHECK(components->machines[0].from == 1115811139.0);
  CHECK_FALSE(components->machines[1].to);
  CHECK(counts(components->oddities) == Counts{{"rows whose name another row has", 1}});

  const auto nodes = machines("src/holdfast/traces/samples/fta-node.tab");
  REQUIRE(nodes);
  REQUIRE(nodes->machines.size() == 2);
  CHECK(nodes->machines[0].cores == 2.0);
  CHECK(nodes->machines[1].cores == 8.0);  // 2 processors of 4 cores
  CHECK(nodes->machines[1].kind == "Opteron");

  const auto platforms = machines("src/holdfast/traces/samples/fta-platform.tab");
  REQUIRE(platforms);
  REQUIRE(platforms->machines.size() == 1);
  CHECK(platforms->machines[0].name == "Grid of somewhere");
  CHECK(platforms->machines[0].kind == "Grid");
}

TEST_CASE("fta tables: errors name their place") {
  const auto message = [](const char* text) {
    const auto table = read_text<MachineTable>("fta-component", text, "c.tab");
    return table ? "no error" : table.error().text();
  };
  const std::string header =
      "node_id component_id node_name component_type trace_start trace_end\n";
  CHECK(message("") == "c.tab: found no header row, expected names of columns");
  CHECK(message(header.c_str()) == "c.tab:1: found no machine, expected at least one");
  const std::string good = "1 0 a 0 5 6\n1 1 a 0 5 6\n1 2 a 0 5 6\n1 3 a 0 5 6\n";
  CHECK(message((header + good + "1 0 a 0 5\n").c_str()) ==
        "c.tab:6: found 5 fields, expected 6 as in the header");
  CHECK(message((header + "1 0 a 0 5 x\n").c_str()) ==
        "c.tab:2: trace_end: found 'x', expected seconds or a date such as 2024-03-01T10:00");
}

TEST_CASE("tables of machines and pods of the data collection, with the counts of its page") {
  const struct {
    const char* file;
    std::size_t rows;
  } rows[] = {{"batch/alibaba-gpu-2023-nodes.csv", 1523},
              {"failures/fta-g5k-component.tab", 726},
              {"failures/fta-g5k-node.tab", 726},
              {"failures/fta-g5k-platform.tab", 1}};
  for (const auto& row : rows) {
    const auto path = shared_data(row.file);
    if (!path) return;
    CAPTURE(row.file);
    const auto table = machines(*path);
    REQUIRE(table);
    CHECK(table->machines.size() == row.rows);
  }
  const auto pods = read_job_log(*shared_data("batch/alibaba-gpu-2023-pods.csv.gz"));
  REQUIRE(pods);
  CHECK(pods->jobs.size() == 8152);
  CHECK(std::ranges::count(counts(pods->facts.oddities), std::pair<std::string, std::int64_t>{
                                                             "jobs that never started", 897}) == 1);
}
