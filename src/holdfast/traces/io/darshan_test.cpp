#include "holdfast/traces/io/darshan.hpp"

#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include "support/oddity_counts.hpp"
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

using namespace holdfast;

namespace {

IoLogs sample(const std::string& name) {
  auto trace = open_trace("src/holdfast/traces/samples/" + name).value();
  return trace.format->as<IoLogs>()->read(std::move(trace.lines)).value();
}

std::string error_of(std::string text) {
  const auto logs = read_darshan_dxt(LineReader(open_text(std::move(text)), "log"));
  REQUIRE_FALSE(logs);
  return logs.error().text();
}

}  // namespace

TEST_CASE("darshan: records in order of start, bytes once, empty ones left out") {
  const auto logs = sample("darshan-dxt.csv");
  REQUIRE(logs.size() == 1);
  const IoLog& log = logs.front();
  CHECK(log.processes == 2);
  CHECK(log.duration == 10);
  REQUIRE(log.operations.size() == 3);
  CHECK_FALSE(log.operations[0].is_write);
  CHECK(log.operations[1].rank == 0);
  CHECK(log.operations[1].start == 5);
  CHECK(log.operations[2].rank == 1);
  CHECK(log.operations[2].bytes == 4000);
  REQUIRE(log.oddities.list().size() == 3);
  CHECK(log.oddities.list()[0].count == 1);  // MPI-IO
  CHECK(log.oddities.list()[1].count == 1);  // of no byte
  CHECK(log.oddities.list()[2].count == 1);  // out of order
}

TEST_CASE("darshan: what the parser prints") {
  const IoLog log = sample("darshan-dxt-parser.txt").front();
  CHECK(log.processes == 2);
  CHECK(log.duration == 4.5);
  REQUIRE(log.operations.size() == 2);
  CHECK(log.operations[1].bytes == 4096);
  CHECK(log.operations[1].start == 2.0323);
}

TEST_CASE("io totals: a run's row ALL, or the sum of its components") {
  const auto logs = sample("io-totals.csv");
  REQUIRE(logs.size() == 2);
  CHECK(logs[0].name == "r1");
  CHECK_FALSE(logs[0].has_dates);
  REQUIRE(logs[0].operations.size() == 2);
  CHECK(logs[0].operations[0].bytes == 1000);
  CHECK(logs[0].operations[1].bytes == 3000);
  CHECK(logs[0].operations[1].end == 4);
  CHECK(logs[1].operations[1].bytes == 2000);
  CHECK(logs[1].operations[0].end == 0.5);
}

TEST_CASE("io totals: summaries of one run are added, what is odd is counted") {
  auto trace = open_trace(
      open_text("run,component,bytes_written,bytes_read,write_time_s,read_time_s,total_time_s\n"
                "r,ALL,10,20,1,,\nr,CPL,5,5,1,,\nr,ALL,1,2,1,,\nidle,ALL,0,0,0,0,0\n"),
      "totals");
  REQUIRE(trace);
  const auto logs = trace->format->as<IoLogs>()->read(std::move(trace->lines));
  REQUIRE(logs);
  REQUIRE(logs->size() == 1);
  CHECK(logs->front().operations[0].bytes == 22);
  CHECK(logs->front().operations[0].end == 0);
  CHECK(logs->front().operations[1].bytes == 11);
  CHECK(test::counts(logs->front().oddities) ==
        test::Counts{{"rows of components of runs that have a row ALL", 1},
                     {"further rows ALL of a run (a summary of each of its programs)", 1},
                     {"runs that read without a time to read", 1},
                     {"runs that moved no byte", 1}});
}

TEST_CASE("darshan: two logs in one text are two runs, and incomplete data are counted") {
  const auto run = [](const char* job) {
    return "# darshan log version: 3.41\n# jobid: " + std::string(job) +
           "\n# nprocs: 2\n# run time: 10\n"
           "# *WARNING*: The DXT_POSIX module contains incomplete data!\n# DXT, file_id: 1\n"
           "X_POSIX 0 write 0 0 1048576 1.0 1.5\nX_POSIX 0 write 1 0 1048576 2.0 2.5\n";
  };
  const auto logs = read_darshan_dxt(LineReader{open_text(run("7") + run("8")), "log"});
  REQUIRE(logs);
  REQUIRE(logs->size() == 2);
  CHECK((*logs)[1].name == "8");
  CHECK((*logs)[1].operations.size() == 2);
  CHECK((*logs)[1].duration == 10);
  CHECK(test::counts((*logs)[0].oddities) == test::Counts{{"modules with incomplete data", 1}});
  const std::string none =
      "# darshan log version: 3.41\n# no DXT module data available for this log.\n";
  CHECK(looks_like_darshan_dxt(none));
  CHECK(read_darshan_dxt(LineReader{open_text(none), "log"}).error().text() ==
        "log:2: found a Darshan log without operations (the run did not set DXT_ENABLE_IO_TRACE), "
        "expected some: darshan-parser prints its totals");
}

TEST_CASE("darshan-parser: POSIX and STDIO are added, other modules repeat them, -1 is unknown") {
  const std::string text =
      "# darshan log version: 3.41\n# jobid: 7\n# nprocs: 4\n# run time: 100\n"
      "#<module>\t<rank>\t<record id>\t<counter>\t<value>\n"
      "POSIX\t-1\t1\tPOSIX_BYTES_WRITTEN\t4000\nPOSIX\t-1\t1\tPOSIX_F_WRITE_TIME\t8\n"
      "POSIX\t0\t2\tPOSIX_BYTES_READ\t-1\nSTDIO\t0\t2\tSTDIO_BYTES_READ\t10\n"
      "STDIO\t0\t2\tSTDIO_F_READ_TIME\t0.4\nMPI-IO\t-1\t1\tMPIIO_BYTES_WRITTEN\t4000\n";
  CHECK(looks_like_darshan_parser(text));
  const auto logs = read_darshan_parser(LineReader{open_text(text + text), "log"});
  REQUIRE(logs);
  REQUIRE(logs->size() == 2);
  const IoLog& log = logs->front();
  REQUIRE(log.operations.size() == 2);
  CHECK(log.operations[0].bytes == 10);
  CHECK(log.operations[0].end == 0.1);  // 0.4 s over 4 processes
  CHECK(log.operations[1].bytes == 4000);
  CHECK(log.operations[1].end == 0.1 + 2);
  CHECK(log.duration == 100);
  CHECK_FALSE(log.has_dates);
  CHECK(read_darshan_parser(
            LineReader{open_text("#<module>\t<rank>\nPOSIX 0 1 POSIX_BYTES_READ x\n"), "log"})
            .error()
            .text() == "log:2: POSIX_BYTES_READ: found 'x', expected a number");
}

TEST_CASE("darshan: what is wrong is said with its line") {
  const std::string head = "file,rank,module,op,segment,offset,length,start_s,end_s\n";
  CHECK(error_of(head + "f0,0,X_POSIX,read,0,0,10,2,1\n") ==
        "log:2: found an end at 1 s before the start at 2 s");
  CHECK(error_of(head + "f0,0,X_POSIX,seek,0,0,10,1,2\n") ==
        "log:2: found the operation 'seek', expected 'read' or 'write'");
  CHECK(error_of(head + "f0,0,X_POSIX,read,0,0,-1,1,2\n") ==
        "log:2: length: found '-1', expected a number of at least 0");
  CHECK(error_of(head + "f0,0,X_POSIX\n") == "log:2: found 3 fields, expected 9");
  CHECK(error_of(head) == "log:1: found no operation that moves a byte");
}

TEST_CASE("darshan: the real logs are read") {
  const char* given = std::getenv("HOLDFAST_DATA");
  const std::filesystem::path data = std::filesystem::path(given ? given : "../shared/data") / "io";
  if (!std::filesystem::exists(data / "darshan-dxt-lammps.csv")) {
    MESSAGE("skipped: no I/O logs in " << data.string());
    return;
  }
  for (const char* name : {"darshan-dxt-lammps.csv", "darshan-dxt-warpx-laser.csv",
                           "darshan-dxt-warpx-plasma.csv", "e3sm-io-summaries-a.csv"}) {
    CAPTURE(name);
    auto trace = open_trace(data / name).value();
    REQUIRE(trace.format->as<IoLogs>() != nullptr);
    const auto logs = trace.format->as<IoLogs>()->read(std::move(trace.lines));
    REQUIRE(logs);
    for (const IoLog& log : *logs) CHECK_FALSE(log.operations.empty());
  }
}
