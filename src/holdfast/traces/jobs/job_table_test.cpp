#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include "support/read_text.hpp"
#include "support/shared_data.hpp"
#include <algorithm>
#include <string>
#include <vector>

using namespace holdfast;
using holdfast::test::shared_data;

namespace {

std::string job_error(std::string_view format, const std::string& text) {
  const auto log = test::read_text<JobLog>(format, text, "jobs");
  return log ? "no error" : log.error().text();
}

}  // namespace

TEST_CASE("job-table: release, cores, length; borg-jobs: id, release, length, cores, a word") {
  const auto table = read_job_log("src/holdfast/traces/samples/job-table.txt");
  REQUIRE(table);
  REQUIRE(table->jobs.size() == 3);
  CHECK(table->jobs[2].number == 2);
  CHECK(table->jobs[2].submit == 60);
  CHECK(table->jobs[2].processors == 24);
  CHECK(table->jobs[2].run == 86399);
  const auto borg = read_job_log("src/holdfast/traces/samples/borg-jobs.txt");
  REQUIRE(borg);
  CHECK(borg->jobs[1].number == 219967);
  CHECK(borg->jobs[1].submit == 1007400);
  CHECK(borg->jobs[1].run == 39600);
  CHECK(borg->jobs[1].processors == 2);
  CHECK(borg->facts.oddities.list().front().count == 1);  // the third is released first
}

TEST_CASE("job tables: lines that are not of their kind are refused") {
  const std::string triples = "1 2 3\n1 2 3\n1 2 3\n1 2 3\n1 2 3\n";
  const std::string borg = "1 2 3 4 a\n1 2 3 4 a\n1 2 3 4 a\n1 2 3 4 a\n1 2 3 4 a\n";
  CHECK(job_error("job-table", "1 2\n") ==
        "jobs: found 1, 2 without 3, expected a table with these columns");
  CHECK(job_error("job-table", "1 2 x\n") == "jobs:1: 3: found 'x', expected a duration");
  CHECK(job_error("job-table", triples + "1 2 3 4\n") == "jobs:6: found 4 fields, expected 3");
  CHECK(job_error("borg-jobs", borg + "1 2 3 4\n") == "jobs:6: found 4 fields, expected 5");
  CHECK(job_error("borg-jobs", borg + "1 2 3 4 a b\n") == "jobs:6: found 6 fields, expected 5");
  CHECK(job_error("job-table", "1 2.5 3\n") ==
        "jobs:1: 2: found '2.5', expected a whole number of at most 2^53");
  CHECK(job_error("job-table", "# none\n") ==
        "jobs: found no header row, expected names of columns");
  for (const char* text :
       {"1 2\n", "1 2 x\n", "1 2 3 4\n", "1 2 3 4 a b\n", "1 2 3 4 5\n", "1 100.0 1.0\n"}) {
    CHECK_FALSE(test::looks_like("job-table", text));
    CHECK_FALSE(test::looks_like("borg-jobs", text));
  }
}

TEST_CASE("borg-jobs: the slices of the data collection") {
  const auto path = shared_data("batch/borg-cell-7d-864000.txt.gz");
  if (!path) return;
  const auto log = read_job_log(*path);
  REQUIRE(log);
  CHECK(log->facts.jobs == 17105);
  std::int64_t carried = 0, widest = 0;
  for (const LoggedJob& job : log->jobs) {
    carried += job.submit < 864000 ? 1 : 0;
    widest = std::max(widest, job.processors);
  }
  CHECK(widest == 8);
  CHECK(carried > 0);
}
