#include "holdfast/traces/jobs/job_table.hpp"

#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include "support/shared_data.hpp"
#include <algorithm>
#include <string>
#include <vector>

using namespace holdfast;
using holdfast::test::shared_data;

namespace {

using Reader = Result<JobLogFacts> (*)(LineReader, const JobSink&);

std::string message(Reader reader, const std::string& text) {
  const auto facts = reader(LineReader{open_text(text), "jobs"}, [](const LoggedJob&) {});
  return facts ? "no error" : facts.error().text();
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
  CHECK(message(read_job_table, "1 2\n") ==
        "jobs:1: found 2 fields, expected 3: release cores length");
  CHECK(message(read_job_table, "1 2 x\n") == "jobs:1: length: found 'x', expected a whole number");
  CHECK(message(read_job_table, "1 2 3 4\n") ==
        "jobs:1: found '4' after 3 numbers, expected the end of the line");
  CHECK(message(read_borg_jobs, "1 2 3 4\n") ==
        "jobs:1: found '' after 4 numbers, expected one word");
  CHECK(message(read_borg_jobs, "1 2 3 4 a b\n") ==
        "jobs:1: found 'a b' after 4 numbers, expected one word");
  CHECK(message(read_job_table, "# none\n") == "jobs:1: found no job, expected at least one");
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
