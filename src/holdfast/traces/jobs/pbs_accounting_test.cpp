#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;

TEST_CASE("pbs-accounting: the end of a job has all that is known of it") {
  const std::string text =
      "03/01/2025 00:50:03;Q;7.head;queue=workq\n"
      "03/01/2025 06:27:54;E;7.head;user=ana queue=workq ctime=1000 qtime=1010 start=1100 "
      "exec_host=n1/0*16+n2/0*16 Resource_List.ncpus=32 Resource_List.walltime=24:00:00 end=2000 "
      "Exit_status=0 resources_used.walltime=00:15:00\n"
      "03/01/2025 06:27:54;E;8[].head;user=ana ctime=1000 start=1100 end=2000\n"
      "03/01/2025 06:27:54;E;8[1].head;user=ben ctime=1200 start=1300 exec_host=n1/0+n1/1+n2/4-7 "
      "end=1350 Exit_status=271\n";
  auto trace = open_trace(open_text(text), "acct");
  REQUIRE(trace);
  CHECK(trace->format->name == "pbs-accounting");
  const auto log = trace->format->as<JobLog>()->read_all(std::move(trace->lines), {});
  REQUIRE(log);
  REQUIRE(log->jobs.size() == 2);
  const LoggedJob& first = log->jobs[0];
  CHECK(first.number == 7);
  CHECK(first.submit == 1000);
  CHECK(first.wait == 100);
  CHECK(first.run == 900);
  CHECK(first.processors == 32);
  CHECK(first.nodes == 2);
  CHECK(first.requested_time == 86400);
  CHECK(first.status == 1);
  CHECK(log->jobs[1].processors == 6);
  CHECK(log->jobs[1].run == 50);
  CHECK(log->jobs[1].user == 2);
  CHECK(log->jobs[1].status == 0);
  auto none = open_trace(open_text("03/01/2025 00:50:03;Q;7.head;queue=workq\n"), "acct");
  REQUIRE(none);
  CHECK(none->format->as<JobLog>()->read_all(std::move(none->lines), {}).error().text() ==
        "acct: found no job that ended among 1 record (records of type E), expected some");
}
