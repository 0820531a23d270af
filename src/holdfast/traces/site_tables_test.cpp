#include "holdfast/traces/failures/lifetimes.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/text/strangers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

template <class Record>
Result<Record> read_as_kind(const std::string& text, std::string_view format) {
  HOLDFAST_TRY(trace, open_trace(open_text(text), "file", {}, formats_of<Record>()));
  CHECK(trace.format->name == format);
  const Format& format_of_file = *trace.format;
  const FormatOf<Record>* const found = format_of_file.template as<Record>();
  REQUIRE(found != nullptr);
  return found->read_all(std::move(trace.lines), {});
}

std::int64_t told_count(const Oddities& oddities, std::string_view what) {
  for (const Oddity& oddity : oddities.list()) {
    if (oddity.what.find(what) != std::string::npos) return oddity.count;
  }
  return 0;
}

template <class T>
std::string error_text(const Result<T>& result) {
  return result ? "no error" : result.error().text();
}

const std::string kAccounts =
    "JobID|Submit|Start|End|Elapsed|AllocCPUS|NNodes|State\n"
    "7|2026-02-01T00:00:00|2026-02-01T01:00:00|2026-02-01T03:00:00|02:00:00|64|2|COMPLETED\n"
    "7.batch|2026-02-01T01:00:00|2026-02-01T01:00:00|2026-02-01T03:00:00|02:00:00|32|1|COMPLETED\n"
    "7.0|2026-02-01T01:00:00|2026-02-01T01:00:00|2026-02-01T03:00:00|02:00:00|64|2|COMPLETED\n"
    "8_3|2026-02-01T00:00:00|2026-02-01T02:00:00|2026-02-01T05:00:00|03:00:00|32|1|NODE_FAIL\n"
    "9|2026-02-01T00:00:00|Unknown|Unknown|00:00:00|0|4|PENDING\n"
    "10|2026-02-01T00:00:00|2026-02-01T04:00:00|2026-02-01T05:30:00|01:30:00|128|4|CANCELLED by 1\n"
    "11|2026-02-01T00:00:00|2026-02-01T04:00:00|Unknown|00:30:00|32|1|RUNNING\n";

}  // namespace

TEST_CASE("sacct: steps are left out, states are those of jobs") {
  const auto log = read_as_kind<JobLog>(kAccounts, "sacct");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  REQUIRE(log->jobs.size() == 5);
  CHECK(log->jobs[0].wait == 3600);
  CHECK(log->jobs[0].run == 7200);
  CHECK(log->jobs[0].processors == 64);
  CHECK(log->jobs[0].status == 1);
  CHECK(log->jobs[1].is_end_of_node);
  CHECK(log->jobs[1].status == 0);
  CHECK(log->jobs[2].run == -1);
  CHECK(log->jobs[3].status == 5);
  CHECK(log->jobs[4].run == -1);
  CHECK(told_count(log->facts.oddities, "steps of jobs") == 2);
  CHECK(told_count(log->facts.oddities, "still ran") == 1);
  CHECK(told_count(log->facts.oddities, "NODE_FAIL") == 1);
  CHECK(error_text(read_as_kind<JobLog>(
            "JobID|JobName|AllocCPUS|State|ExitCode\n1|x|16|COMPLETED|0:0\n", "sacct")) ==
        "file: found sacct's usual columns, without times, expected Submit, Start and End: sacct "
        "-X -P "
        "--format=JobID,Submit,Start,End,Elapsed,AllocCPUS,NNodes,State,User,Account");
}

TEST_CASE("sacct: a document has resources by type, and 0 for what has not happened") {
  const auto log = read_as_kind<JobLog>(
      R"({"jobs": [{"job_id": 1, "allocation_nodes": 2, "state": {"current": ["COMPLETED"]},
        "required": {"CPUs": 1}, "time": {"elapsed": 50, "submission": 1770000000,
        "start": 1770000100, "end": 1770000150}, "tres": {"allocated": [{"type": "cpu",
        "count": 16}, {"type": "node", "count": 2}]}, "steps": []},
       {"job_id": 2, "allocation_nodes": 1, "state": {"current": ["PENDING"]},
        "required": {"CPUs": 4}, "time": {"elapsed": 0, "submission": 1770000000, "start": 0,
        "end": 0}, "tres": {"allocated": []}, "steps": []}]})",
      "sacct");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  REQUIRE(log->jobs.size() == 2);
  CHECK(log->jobs[0].processors == 16);
  CHECK(log->jobs[0].nodes == 2);
  CHECK(log->jobs[0].run == 50);
  CHECK(log->jobs[1].wait == -1);
  CHECK(log->jobs[1].width() == 4);
}

TEST_CASE("sacct: NODE_FAIL jobs are failures, and node hours of all jobs the time observed") {
  const auto log = read_as_kind<FailureLog>(kAccounts, "node-fail-jobs");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  CHECK(log->outages.size() == 1);
  const auto lives = lifetimes_of(*log);
  REQUIRE(lives);
  CHECK(lives->failures == 1);
  // 2 nodes for 2 h and 1 for 3 h until the failure, then 4 for 1.5 h.
  CHECK(lives->ageless == std::vector{Lifetime::exact(7 * 3600), Lifetime::censored(6 * 3600)});
  CHECK_FALSE(lifetimes_of(*log, {.merge = 60}));
  std::string none = kAccounts;
  none.replace(none.find("NODE_FAIL"), 9, "COMPLETED");
  CHECK(
      error_text(read_as_kind<FailureLog>(none, "node-fail-jobs")) ==
      "file: found no failure of a node (NODE_FAIL) in 3 jobs and 13 node hours, expected at least "
      "one: with 95 % confidence a node fails less than once in 4.33333 hours");
}

TEST_CASE("sacct: what a list of resources says, and nodes where nothing else is known") {
  const auto log = read_as_kind<JobLog>(
      "JobIDRaw|Submit|Start|End|ElapsedRaw|NNodes|AllocTRES|State\n"
      "1|2026-01-05T08:00:00|2026-01-05T08:10:00|2026-01-05T09:10:00|3600|2|"
      "billing=9,cpu=128,gres/gpu=8,mem=500G,node=2|COMPLETED\n"
      "2|2026-01-05T08:00:00|2026-01-05T08:10:00|2026-01-05T09:10:00|3600|3||COMPLETED\n",
      "sacct");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  CHECK(log->jobs[0].processors == 128);
  CHECK(log->jobs[0].gpus == 8);
  CHECK(log->jobs[0].nodes == 2);
  CHECK(log->jobs[1].processors == 3);
  CHECK(told_count(log->facts.oddities, "only the nodes are known") == 1);
}

TEST_CASE("philly-jobs: from the first attempt to the last, on its GPUs") {
  const auto log = read_job_log("src/holdfast/traces/samples/philly-jobs.json");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  REQUIRE(log->jobs.size() == 3);
  CHECK(log->jobs[0].wait == 600);
  CHECK(log->jobs[0].run == 2 * 3600);
  CHECK(log->jobs[0].processors == 3);
  CHECK(log->jobs[0].nodes == 2);
  CHECK(log->jobs[0].status == 1);
  CHECK(log->jobs[1].wait == -1);
  CHECK(log->jobs[1].width() == -1);
  CHECK(log->jobs[1].status == 5);
  CHECK(log->jobs[2].wait == 0);
  CHECK(log->jobs[2].run == -1);
}

TEST_CASE("sge-accounting: submission, start, end and slots of 45 fields") {
  const auto log = read_job_log("src/holdfast/traces/samples/sge-accounting.txt");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  REQUIRE(log->jobs.size() == 2);
  CHECK(log->jobs[0].number == 101);
  CHECK(log->jobs[0].wait == 600);
  CHECK(log->jobs[0].run == 3600);
  CHECK(log->jobs[0].processors == 16);
  CHECK(log->jobs[0].status == 1);
  CHECK(log->jobs[1].status == 0);
}

TEST_CASE("lines of pairs: jobs as jobcomp/filetxt and scontrol -o print them") {
  const auto log = read_as_kind<JobLog>(
      "JobId=7 UserId=u(1) Name=sim JobState=COMPLETED StartTime=2026-01-05T08:10:00 "
      "EndTime=2026-01-05T09:10:00 NodeList=n[1-2] NodeCnt=2 ProcCnt=128 "
      "SubmitTime=2026-01-05T08:00:00\n"
      "JobId=8 UserId=u(1) Name=sim JobState=FAILED StartTime=2026-01-05T08:20:00 "
      "EndTime=2026-01-05T08:50:00 ReservationName= NodeCnt=1 ProcCnt=64 "
      "SubmitTime=2026-01-05T08:00:00\n",
      "jobs-csv");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  CHECK(log->jobs[0].wait == 600);
  CHECK(log->jobs[0].run == 3600);
  CHECK(log->jobs[0].processors == 128);
  CHECK(log->jobs[1].processors == 64);
  CHECK(log->jobs[1].status == 0);
}

TEST_CASE("batsim-events: each resource of a range is out of its own") {
  const auto log = read_failure_log("src/holdfast/traces/samples/batsim-events.json");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  REQUIRE(log->outages.size() == 5);
  CHECK(log->nodes.size() == 5);
  CHECK(log->outages.at(0).down == 100);
  CHECK(log->outages.at(0).up == 400.5);
  CHECK(log->outages.at(1).up == 1000);
  CHECK(log->outages.at(2).up == 1000);
  CHECK(std::isinf(log->outages.at(3).up));
  CHECK_FALSE(log->is_dated);
  CHECK(
      error_text(read_as_kind<FailureLog>(
          R"({"type": "machine_available", "resources": "x", "timestamp": 1})", "batsim-events")) ==
      "file: object 1: expected a node, a time of 0 or more, and "
      "machine_unavailable or machine_available in each event");
}

TEST_CASE("io-totals: a table of one's own, a run in each row") {
  const auto logs = read_as_kind<IoLogs>(
      "job,nprocs,bytes_read,bytes_written,read_time,write_time,runtime\n"
      "run1,64,4096,68719476736,0.002,80.0,600\nrun1,128,0,137438953472,0,150.0,1200\n",
      "io-totals");
  CHECK(error_text(logs) == "no error");
  REQUIRE(logs);
  REQUIRE(logs->size() == 2);
  CHECK((*logs)[0].operations.size() == 2);
  CHECK((*logs)[1].operations[0].bytes == 137438953472);
  CHECK((*logs)[1].duration == 150);
}

TEST_CASE("what begins like another format is not taken for it") {
  for (const char* text : {"Job <101>, Job Name <a>, User <u1>, Project <default>\nMon Jan  5\n",
                           "Job Step Id: x.1.0\n"}) {
    CAPTURE(std::string(text));
    CHECK_FALSE(open_trace(open_text(text), "file"));
  }
  const auto cobalt = read_as_kind<JobLog>(
      "\"JOB_NAME\",\"COBALT_JOBID\",\"QUEUED_TIMESTAMP\",\"START_TIMESTAMP\",\"END_TIMESTAMP\","
      "\"RUNTIME_SECONDS\",\"NODES_USED\"\n"
      "\"1.m\",\"1\",\"2013-04-09 00:00:00\",\"2013-04-09 01:00:00\",\"2013-04-09 "
      "02:00:00\",3600,512\n",
      "jobs-csv");
  CHECK(error_text(cobalt) == "no error");
  REQUIRE(cobalt);
  CHECK(cobalt->jobs[0].run == 3600);
  CHECK(cobalt->jobs[0].processors == 512);
  // A length is no value of a series, and the time of a task no date.
  for (const char* text :
       {"Knooppunt;Uitval;Klaar;Duur (h)\nc1;05.01.2026 08:00;05.01.2026 09:00;1,00\n"
        "c2;16.01.2026 08:00;16.01.2026 09:30;1,50\n",
        "time,instance_index,collection_id,machine_id,type\n0,0,1,5,0\n300000000,0,1,5,3\n"}) {
    CAPTURE(std::string(text));
    CHECK_FALSE(open_trace(open_text(text), "file"));
  }
}

TEST_CASE("lifetimes: as survival packages have them") {
  const auto surpyval =
      read_as_kind<LifetimeTable>("x,c,n\n10,0,1\n20,1,3\n15,-1,1\n", "lifetimes-csv");
  CHECK(error_text(surpyval) == "no error");
  REQUIRE(surpyval);
  CHECK(surpyval->lifetimes == std::vector<Lifetime>{Lifetime::exact(10), Lifetime::censored(20),
                                                     Lifetime::censored(20), Lifetime::censored(20),
                                                     Lifetime::between(0, 15)});
  const auto intervals =
      read_as_kind<LifetimeTable>("left,right\n0,5\n5,10\n10,inf\n", "lifetimes-csv");
  CHECK(error_text(intervals) == "no error");
  REQUIRE(intervals);
  CHECK(intervals->lifetimes[2] == Lifetime::censored(10));
}

TEST_CASE("lsf-accounting: fields behind lists of hosts") {
  const auto log = read_as_kind<JobLog>(
      "\"JOB_NEW\" \"10.1\" 5 7 1\n\"JOB_FINISH\" \"10.1\" 2000 7 1017 3 16 1000 0 0 1100 \"ana\" "
      "\"normal\" \"a b\" \"\" \"\" \"login\" \"/w\" \"\" \"\" \"\" \"x\" 2 \"n1\" \"n2\" 2 \"n1\" "
      "\"15*n2\" 64 60.0 \"\" \"./sim \"\"a\"\"\" 1.0\n",
      "lsf-accounting");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  CHECK(log->jobs[0] == LoggedJob{.number = 7,
                                  .submit = 1000,
                                  .wait = 100,
                                  .run = 900,
                                  .processors = 16,
                                  .status = 1,
                                  .user = 1,
                                  .queue = 1,
                                  .nodes = 2});
}

TEST_CASE("nextflow-trace: the last attempt of a task counts") {
  const auto run = read_as_kind<WorkflowRun>(
      "task_id\thash\tname\tstatus\trealtime\n1\ta\tX (1)\tCOMPLETED\t1m 58s\n2\tb\tX (2)\tFAILED\t"
      "40.2s\n3\tc\tX (2)\tCOMPLETED\t1h 1m\n4\td\tY\tCACHED\t512ms\n5\te\tZ\tFAILED\t-\n",
      "nextflow-trace");
  CHECK(error_text(run) == "no error");
  REQUIRE(run);
  REQUIRE(run->tasks.size() == 4);
  CHECK(*run->tasks[0].runtime == 118);
  CHECK(*run->tasks[1].runtime == 3660);
  CHECK(*run->tasks[2].runtime == 0.512);
  CHECK_FALSE(run->tasks[3].runtime);
  CHECK(told_count(run->oddities, "were repeated") == 1);
  CHECK(told_count(run->oddities, "tasks that failed") == 1);
}

TEST_CASE("prometheus-up: each fall from 1 to 0 is a failure, and all nodes are named") {
  const auto log = read_as_kind<FailureLog>(
      R"({"status": "success", "data": {"resultType": "matrix", "result": [
        {"metric": {"instance": "n1:9100"}, "values": [[100, "1"], [160, "0"], [220, "0"], [280, "1"]]},
        {"metric": {"instance": "n2:9100"}, "values": [[100, "0"], [160, "1"], [220, "1"], [280, "0"]]},
        {"metric": {"instance": "n3:9100"}, "values": [[100, "1"], [340, "1"]]}]}})",
      "prometheus-up");
  CHECK(error_text(log) == "no error");
  REQUIRE(log);
  REQUIRE(log->outages.size() == 2);
  CHECK(log->outages.at(0).down == 160);
  CHECK(log->outages.at(0).up == 280);
  CHECK(std::isinf(log->outages.at(1).up));
  CHECK(log->systems[0].nodes == 3);
  CHECK(log->from == 100);
  CHECK(log->to == 340);
  CHECK(told_count(log->oddities, "when the record began") == 1);
}

TEST_CASE("strangers: what people have that is no trace gets a sentence of its own") {
  for (const char* text : {" JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n1 x\n",
                           "REASON USER TIMESTAMP NODELIST\nx root 2025 n1\n", "cn[001-100]\n",
                           "reboot   system boot  5.14 Mon Mar  3 08:11   still running\n",
                           "IOR-4.0.0: MPI Coordinated Test of Parallel I/O\n",
                           "NodeName=n1 Arch=x86_64\n   State=IDLE\n"}) {
    CAPTURE(std::string(text));
    CHECK(error_text(open_trace(open_text(text), "file")).starts_with("file: found "));
    CHECK_FALSE(known_stranger(text).empty());
  }
  CHECK(known_stranger("node,down,up\n").empty());
}

TEST_CASE("dax: jobs, run times, files and edges; entsoe-xml: types of production add up") {
  const auto run = read_as_kind<WorkflowRun>(
      "<?xml version=\"1.0\"?><!-- x --><adag name='t' xmlns:a='u'><job id='A' name='p' "
      "runtime='2.5'>"
      "<uses link=\"output\" size=\"8\"/></job><job id=\"B\"/><child ref='B'><parent "
      "ref='A'/></child>"
      "</adag>",
      "dax");
  CHECK(error_text(run) == "no error");
  REQUIRE(run);
  CHECK(*run->tasks[0].runtime == 2.5);
  CHECK(run->tasks[0].output_bytes == 8);
  CHECK_FALSE(run->tasks[1].runtime);
  CHECK(run->dependencies.size() == 1);
  CHECK(error_text(read_as_kind<WorkflowRun>("<adag><job id='A'/><child ref='B'></adag>", "dax")) ==
        "file:1, column 35: found '</adag>', expected </child>");
  CHECK(error_text(read_as_kind<WorkflowRun>(
            "<adag><job id='A'/><child ref='B'><parent ref='A'/></child></adag>", "dax")) ==
        "file: child: found ref 'B', expected the id of a job");

  const auto document = [](const char* column) -> Result<CapacitySeries> {
    const auto series = [](const char* type, int value) {
      return "<TimeSeries><psrType>" + std::string(type) +
             "</psrType><Period><timeInterval><start>2025-03-01T00:00Z</"
             "start><end>2025-03-01T02:00Z</end>"
             "</timeInterval><resolution>PT60M</resolution><Point><position>2</"
             "position><quantity>" +
             std::to_string(value) + "</quantity></Point></Period></TimeSeries>";
    };
    HOLDFAST_TRY(trace,
                 open_trace(open_text("<GL_MarketDocument xmlns=\"urn:iec62325.351\">" +
                                      series("B16", 5) + series("B19", 7) + "</GL_MarketDocument>"),
                            "file"));
    CHECK(trace.format->name == "entsoe-xml");
    return trace.format->as<CapacitySeries>()->read(std::move(trace.lines),
                                                    {.column = column, .time_unit = {}});
  };
  const auto both = document("B16+B19");
  REQUIRE(both);
  CHECK(both->points.size() == 1);
  CHECK(both->points[0].value == 12);
  CHECK(both->end - both->points[0].time == 3600);
  CHECK(document("*")->points[0].value == 12);
  CHECK(document("").error().message ==
        "found none, expected some of the types of production B16, B19 (A+B adds, * takes all)");
}
