#include "holdfast/traces/failures/plain_failures.hpp"
#include "holdfast/traces/records.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace holdfast;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TraceRecords records_of(const std::string& text) {
  auto trace = open_trace(open_text(text), "trace");
  REQUIRE(trace);
  auto records = read_records(std::move(*trace), {.system = {}, .series = {"", 1.0}});
  REQUIRE(records);
  return std::move(*records);
}

/// The records as ones of that format's kind.
Result<TraceRecords> as_format(std::string_view name, TraceRecords records, Oddities& lost) {
  const auto format = std::ranges::find(formats(), name, &Format::name);
  REQUIRE(format != formats().end());
  return as_kind_of(*format, std::move(records), lost);
}

Instant seconds(double value) {
  return {.seconds = value};
}

const std::string kFailures =
    "# observed: 0 to 1000\n# nodes: 5\n# in service: 0\nnode,down,up\n"
    "a,100,150\nb,200,400\na,300,310\nc,900,\n";

std::string message(const Result<TraceRecords>& part) {
  return part ? "no error" : part.error().text();
}

}  // namespace

TEST_CASE("slice: failures in a window, the log being observed in it alone") {
  // b fails at 200 and is up again at 400, beyond the window: it has no end there.
  const auto part = sliced(records_of(kFailures), {.from = seconds(200), .to = seconds(350)});
  REQUIRE(part);
  const auto& log = std::get<FailureLog>(*part);
  REQUIRE(log.outages.size() == 2);
  CHECK(log.outages.at(0).down == 200);
  CHECK(log.outages.at(0).up == kInfinity);
  CHECK(log.outages.at(1).up == 310);
  CHECK(log.observed_from == 200.0);
  CHECK(log.to == 350);
  CHECK(log.nodes.size() == 3);  // those that do not fail in it are still there
  CHECK(log.systems[0].nodes == 5);
}

TEST_CASE("slice: machines by name, and a sample that knows of those that never failed") {
  const auto named = sliced(records_of(kFailures), {.machines = {"a"}});
  REQUIRE(named);
  CHECK(std::get<FailureLog>(*named).outages.size() == 2);
  CHECK(std::get<FailureLog>(*named).nodes.size() == 1);
  CHECK(message(sliced(records_of(kFailures), {.machines = {"aa"}})) ==
        "machines: found no machine 'aa', expected one of the 3 in the trace");

  std::set<std::size_t> named_nodes;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto part = sliced(records_of(kFailures), {.sample = 3, .seed = seed});
    if (!part) continue;  // all three never failed
    const auto& log = std::get<FailureLog>(*part);
    CHECK(log.systems[0].nodes == 3);
    CHECK(log.systems[0].nodes_with_rows == static_cast<std::int64_t>(log.nodes.size()));
    named_nodes.insert(log.nodes.size());
    for (const Outage& outage : log.outages) CHECK(outage.node < log.nodes.size());
  }
  CHECK(named_nodes.size() > 1);  // of 3 named and 2 others, 1 to 3 named ones
}

TEST_CASE("slice: jobs submitted in a window; dates need the header's UnixStartTime") {
  const std::string rest = " 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n";
  const std::string jobs =
      "; UnixStartTime: 86400\n; MaxJobs: 3\n1 0" + rest + "2 50" + rest + "3 99" + rest;
  const auto part = sliced(records_of(jobs), {.from = seconds(50), .to = seconds(99)});
  REQUIRE(part);
  const auto& log = std::get<JobLog>(*part);
  REQUIRE(log.jobs.size() == 1);
  CHECK(log.jobs[0].number == 2);
  CHECK(log.facts.number("MaxJobs") == 1);
  const Instant date{.seconds = 86450, .is_date = true};
  CHECK(std::get<JobLog>(*sliced(records_of(jobs), {.from = date})).jobs.size() == 2);
  CHECK(message(sliced(records_of("1 0" + rest), {.from = date})) ==
        "from: found a date, expected seconds as in the trace");
  CHECK(message(sliced(records_of(jobs), {.from = seconds(500)})) ==
        "from: found no job in that part, expected at least one");
  CHECK(message(sliced(records_of(jobs), {.machines = {"1"}})) ==
        "machines: found names, but jobs name no machines");
}

TEST_CASE("slice: a sample keeps the order, has its size, and is the same for one seed") {
  CHECK(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 60);
    const auto wanted = *rc::gen::inRange<std::size_t>(1, count + 1);
    JobLog log;
    for (std::size_t i = 0; i < count; ++i) {
      log.jobs.push_back({.number = static_cast<std::int64_t>(i), .submit = 0});
    }
    const SliceQuestion question{.sample = static_cast<std::int64_t>(wanted),
                                 .seed = *rc::gen::inRange<std::uint64_t>(0, 1000)};
    const auto once = sliced(log, question);
    const auto twice = sliced(log, question);
    RC_ASSERT(once.has_value());
    const auto& jobs = once->jobs;
    RC_ASSERT(jobs.size() == wanted);
    RC_ASSERT(jobs == twice->jobs);
    for (std::size_t i = 1; i < jobs.size(); ++i) {
      RC_ASSERT(jobs[i - 1].number < jobs[i].number);
    }
  }));
}

TEST_CASE("slice: each job is drawn as often as the others") {
  JobLog log;
  for (std::int64_t i = 0; i < 5; ++i) log.jobs.push_back({.number = i, .submit = 0});
  std::vector<int> times(5, 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto part = sliced(log, {.sample = 2, .seed = seed});
    for (const LoggedJob& job : part->jobs) {
      ++times[static_cast<std::size_t>(job.number)];
    }
  }
  // 2000 draws of 2 in 5: mean 800, standard deviation 22; five of these
  for (const int count : times) CHECK(std::abs(count - 800) < 110);
}

TEST_CASE("slice: availability is cut at both ends") {
  const auto part = sliced(records_of("a 2 0 100 200 300\nb 1 0 300\nc 0\n"),
                           {.from = seconds(50), .to = seconds(250)});
  REQUIRE(part);
  const auto& record = std::get<AvailabilityRecord>(*part);
  CHECK(record.from == 50);
  CHECK(record.to == 250);
  REQUIRE(record.workers.size() == 3);
  CHECK(record.workers[0].intervals == std::vector<StateInterval>{{50, 100, WorkerState::up},
                                                                  {100, 200, WorkerState::down},
                                                                  {200, 250, WorkerState::up}});
  CHECK(record.workers[2].intervals == std::vector<StateInterval>{{50, 250, WorkerState::down}});
  CHECK(message(sliced(records_of("a 1 0 100\n"), {.from = seconds(500)})) ==
        "from: found no worker in that part, expected at least one");
}

TEST_CASE("slice: a series keeps the value that holds at the start of the window") {
  const auto part =
      sliced(records_of("0,5\n100,7\n200,6\n300,6\n"), {.from = seconds(150), .to = seconds(250)});
  REQUIRE(part);
  const auto& series = std::get<CapacitySeries>(*part);
  REQUIRE(series.points.size() == 2);
  CHECK(series.points[0].time == 150);
  CHECK(series.points[0].value == 7);
  CHECK(series.points[1].time == 200);
  CHECK(series.end == 250);
  CHECK(message(sliced(records_of("0,5\n100,7\n"), {.sample = 1})) ==
        "sample: found a number, but a series of capacity has nothing to draw from");
  CHECK(message(sliced(records_of("0,5\n100,7\n"), {.from = seconds(101)})) ==
        "from: found no value in that part, expected at least one");
}

TEST_CASE("slice: what has no parts is refused") {
  CHECK(message(sliced(records_of("processors,seconds\n1,2\n"), {.sample = 1})) ==
        "found run times by processors, expected a trace with times, machines or jobs");
  CHECK(message(sliced(TraceRecords(LifetimeTable{{Lifetime::exact(1)}, {}}),
                       {.to = seconds(5)})) == "to: found a window, but lifetimes have no times");
  CHECK(message(sliced(TraceRecords(LifetimeTable{{Lifetime::exact(1)}, {}}), {.sample = 2})) ==
        "sample: found 2, expected a number from 1 to 1");
  CHECK(message(sliced(records_of(kFailures), {.from = seconds(5), .to = seconds(5)})) ==
        "to: found no later time than the start of the window");
}

TEST_CASE("records: failures as availability, and back") {
  Oddities lost;
  const auto record = as_format("avt", records_of(kFailures), lost);
  REQUIRE(record);
  const auto& workers = std::get<AvailabilityRecord>(*record).workers;
  REQUIRE(workers.size() == 5);  // two of them without a row
  CHECK(workers[0].intervals == std::vector<StateInterval>{{0, 100, WorkerState::up},
                                                           {100, 150, WorkerState::down},
                                                           {150, 300, WorkerState::up},
                                                           {300, 310, WorkerState::down},
                                                           {310, 1000, WorkerState::up}});
  CHECK(workers[4].intervals == std::vector<StateInterval>{{0, 1000, WorkerState::up}});
  CHECK(lost.list().empty());
  const auto back = as_format("failures-csv", *record, lost);
  REQUIRE(back);
  const auto& log = std::get<FailureLog>(*back);
  CHECK(log.outages.size() == 4);
  CHECK(log.outages.at(3).up == kInfinity);
  CHECK(log.nodes.size() == 5);
  CHECK(lost.list().empty());
}

TEST_CASE(
    "records: what nobody watched is no failure, and a node is in service while it is watched") {
  AvailabilityRecord record{.format = "fta", .from = 0, .to = 100, .workers = {}, .oddities = {}};
  record.workers = {{"a",
                     {{0, 10, WorkerState::up},
                      {10, 20, WorkerState::down},
                      {30, 40, WorkerState::down},  // it was down already when it was seen again
                      {40, 60, WorkerState::up}}}};
  Oddities lost;
  const auto failures = as_format("failures-csv", record, lost);
  REQUIRE(failures);
  const auto& log = std::get<FailureLog>(*failures);
  REQUIRE(log.outages.size() == 1);
  CHECK(log.outages.at(0).down == 10);
  CHECK(log.nodes[0].service.end == 60);
  REQUIRE(lost.list().size() == 1);
  CHECK(lost.list()[0].count == 1);
  const auto unwritten = write_plain_failures(log, [](std::string_view) -> Status { return {}; });
  REQUIRE(unwritten);
  CHECK(unwritten->list().empty());
}

TEST_CASE("records: what one kind cannot say of another is counted or refused") {
  Oddities lost;
  const auto record = as_format("avt", records_of("node,down,up\na,5,5\na,7,9\n"), lost);
  REQUIRE(record);
  REQUIRE(lost.list().size() == 1);
  CHECK(lost.list()[0].what == "outages of length 0");
  const auto failures = as_format("failures-csv", records_of("a 1 5 10\nb 1 0 10\n"), lost);
  REQUIRE_FALSE(failures);  // a was down from the start, nobody failed
  CHECK(failures.error().message == "found no outage, expected at least one");
  const auto jobs = as_format("swf", records_of("a 1 5 10\n"), lost);
  REQUIRE_FALSE(jobs);
  CHECK(jobs.error().message == "found a format of jobs, but the file holds availability");
}
