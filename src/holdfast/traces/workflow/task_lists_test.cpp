#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

using namespace holdfast;

namespace {

Result<WorkflowRun> read_tasks(const std::string& text, std::string_view format) {
  HOLDFAST_TRY(trace, open_trace(open_text(text), "tasks"));
  CHECK(trace.format->name == format);
  REQUIRE(trace.format->as<WorkflowRun>() != nullptr);
  return trace.format->as<WorkflowRun>()->read(std::move(trace.lines));
}

}  // namespace

TEST_CASE("stg: numbers of tasks, times and predecessors") {
  const auto run = read_tasks("2\n0 0 0\n1 5 1 0\n2 8.5 2 0 1\n3 0 1 2\n# note\n1 2\n", "stg");
  REQUIRE(run);
  CHECK(run->tasks.size() == 4);
  CHECK(*run->tasks[2].runtime == 8.5);
  CHECK(run->dependencies.size() == 4);
  CHECK(
      read_tasks("2\n0 0 0\n1 5 1 0\n2 8 1 7\n", "stg").error().text() ==
      "tasks:4: found '2 8 1 7', expected task 2, its time, and the number and numbers of earlier "
      "tasks that it waits for");
}

TEST_CASE("dagman: jobs in any order, edges of several parents and children") {
  const auto run = read_tasks(
      "# x\nJOB A a.sub\nPARENT A CHILD B C\njob B b.sub\nJOB C c.sub DONE\nParent B C Child D\n"
      "JOB D d.sub\nRETRY B 3\n",
      "dagman");
  REQUIRE(run);
  CHECK(run->tasks.size() == 4);
  CHECK(run->dependencies == std::vector<WorkflowRun::Dependency>{{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  CHECK_FALSE(run->tasks[0].runtime);
  CHECK(read_tasks("JOB A a.sub\nPARENT A CHILD X\n", "dagman").error().text() ==
        "tasks: found 'X' in 'PARENT A CHILD X', expected the name of a JOB");
  CHECK(read_tasks("JOB A a.sub\nPARENT A CHILD A\n", "dagman").error().text() ==
        "tasks: found 'A' as its own parent in 'PARENT A CHILD A', expected another JOB");
}

TEST_CASE("snakemake-history: attempts, failed ones, and half a line where Snakemake was killed") {
  std::ifstream file("src/holdfast/traces/samples/snakemake-history.jsonl");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto run = read_tasks(text, "snakemake-history");
  REQUIRE(run);
  REQUIRE(run->tasks.size() == 4);
  CHECK(run->tasks[0].runtime == 1.408);
  CHECK_FALSE(run->tasks[1].runtime);
  const SpeedupTable times = run_times_of(*run);
  REQUIRE(times.size() == 2);
  CHECK(times[1].name == "trim");
  CHECK(times[1].processors == std::vector<std::int64_t>{4, 8});
  CHECK(read_tasks(R"({"rule": "a", "threads": 0, "seconds": 1})", "snakemake-history")
            .error()
            .text()
            .find("found no job, expected lines with rule, threads and seconds") !=
        std::string::npos);
}

TEST_CASE(
    "snakemake-log: jobs, threads, times to the second, attempts that are repeated, files as "
    "edges") {
  std::ifstream file("src/holdfast/traces/samples/snakemake-log.txt");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto run = read_tasks(text, "snakemake-log");
  REQUIRE(run);
  REQUIRE(run->tasks.size() == 4);
  CHECK(run->tasks[0].id == "raw/a.txt");
  CHECK(run->tasks[0].name == "fetch");
  CHECK(run->tasks[0].cores == 1);
  CHECK(run->tasks[0].runtime == 3);
  CHECK(run->tasks[1].cores == 4);
  CHECK(run->tasks[1].runtime == 12);
  CHECK(run->tasks[2].runtime == 8);  // of its second attempt
  CHECK(run->tasks[3].id == "all");
  CHECK(run->dependencies == std::vector<WorkflowRun::Dependency>{{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const SpeedupTable times = run_times_of(*run);
  REQUIRE(times.size() == 2);
  CHECK(times[1].name == "sort");
  CHECK(times[1].processors == std::vector<std::int64_t>{4, 4});
  CHECK(times[1].seconds == std::vector<double>{12, 8});
  std::string back = text;
  back.replace(back.find("10:47:39"), 8, "10:47:30");  // a clock that was set back
  const auto reversed = read_tasks(back, "snakemake-log");
  REQUIRE(reversed);
  CHECK_FALSE(reversed->tasks[0].runtime);
  // A dry run has no times; without rules there is nothing to read.
  const auto dry = read_tasks("Building DAG of jobs...\nrule a:\n    output: x\n    jobid: 0\n",
                              "snakemake-log");
  REQUIRE(dry);
  CHECK_FALSE(dry->tasks[0].runtime);
  CHECK(read_tasks("Building DAG of jobs...\nNothing to be done\n", "snakemake-log")
            .error()
            .text()
            .find("--quiet") != std::string::npos);
  CHECK(read_tasks("Building DAG of jobs...\nrule a:\n    threads: 0\n", "snakemake-log")
            .error()
            .text() == "tasks:3: threads: found '0', expected a number of at least 1");
}
