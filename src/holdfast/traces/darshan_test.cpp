#include "holdfast/traces/darshan.hpp"

#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

using namespace holdfast;

namespace {

std::vector<IoLog> sample(const std::string& name) {
  auto trace = open_trace("src/holdfast/traces/samples/" + name).value();
  return trace.format->read_io(std::move(trace.lines)).value();
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
    REQUIRE(trace.format->holds == Holds::io);
    const auto logs = trace.format->read_io(std::move(trace.lines));
    REQUIRE(logs);
    for (const IoLog& log : *logs) CHECK_FALSE(log.operations.empty());
  }
}
