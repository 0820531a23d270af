#include "holdfast/field/slurm_job.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

using namespace holdfast::field;

namespace {
using Names = std::vector<std::string>;
}

TEST_CASE("slurm job: time left as squeue says it") {
  CHECK(parse_time_left("0:52") == 52);
  CHECK(parse_time_left("9:59:59\n") == 9 * 3600 + 59 * 60 + 59);
  CHECK(parse_time_left("2-03:04:05") == 2 * 86400 + 3 * 3600 + 4 * 60 + 5);
  CHECK(std::isinf(*parse_time_left("UNLIMITED")));
  for (const auto* text :
       {"", "INVALID", "NOT_SET", "12", "1:2:3:4", "-1:00", "x-1:00:00", "1:-2"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_time_left(text));
  }
}

TEST_CASE("slurm job: the node that is down is found, one that drains still runs") {
  const Names nodes = {"n1", "n2", "n3"};
  CHECK_FALSE(parse_node_states("NodeName=n1 Arch=x86_64 State=ALLOCATED Weight=1\n"
                                "NodeName=n2 State=MIXED+DRAIN Reason=DOWN\n",
                                nodes)
                  .down);
  const NodeCheck check = parse_node_states(
      "NodeName=n1 State=MIXED\nNodeName=n3 CPUs=2 State=DOWN* Weight=1\nNodeName=n2 State=FAIL\n",
      nodes);
  CHECK(check.down == 2);
  CHECK(check.name == "n3");
  CHECK_FALSE(parse_node_states("NodeName=other State=DOWN\n\nNodeName=n1\n", nodes).down);
}

TEST_CASE("slurm job: how long nodes are up") {
  const Names nodes = {"n1", "n2.cluster", "n3", "n4"};
  std::tm noon{};
  REQUIRE(::strptime("2026-11-01T12:00:00", "%Y-%m-%dT%H:%M:%S", &noon) != nullptr);
  noon.tm_isdst = -1;
  const std::int64_t now = std::mktime(&noon);
  const auto ages = parse_boot_ages(
      "NodeName=n3 BootTime=2026-11-01T11:00:00 State=IDLE\nNodeName=n1 BootTime=None\n"
      "NodeName=n2 Boards=1 BootTime=2026-11-01T12:00:09 X=1\nNodeName=other "
      "BootTime=2026-11-01T11:00:00\n",
      nodes, now);
  REQUIRE(ages.size() == 4);
  CHECK_FALSE(ages[0]);
  CHECK(ages[1] == 0);  // its clock is ahead
  CHECK(ages[2] == 3600);
  CHECK_FALSE(ages[3]);
}

TEST_CASE("slurm job: a job is found by its environment") {
  const Names environment = {"SLURM_JOB_ID=17", "SLURM_JOB_NODELIST=n[1-2]", "SLURM_JOB_IDS=x"};
  const auto job = SlurmJob::find(environment);
  REQUIRE(job);
  CHECK(job->id() == "17");
  CHECK(job->name() == "17");
  CHECK(job->nodes() == Names{"n1", "n2"});
  // The first task of an array has the number of the array, which stands for all tasks.
  const auto task =
      SlurmJob::find(Names{"SLURM_JOB_ID=17", "SLURM_ARRAY_JOB_ID=17", "SLURM_ARRAY_TASK_ID=0"});
  REQUIRE(task);
  CHECK(task->name() == "17_0");
  CHECK(parse_restarts("JobId=17 Requeue=1 Restarts=2 BatchFlag=1\n") == 2);
  CHECK_FALSE(parse_restarts("JobId=17"));
  CHECK_FALSE(SlurmJob::find(Names{"SLURM_JOB_ID=", "PATH=/bin"}));
  CHECK_FALSE(SlurmJob::find(Names{"SLURM_JOB_ID=17; rm"}));
}
