// Files as people have them, opened without a word, and what they mean.
#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

using namespace holdfast;

namespace {

template <class Record>
Result<Record> first_guess(const std::string& text) {
  HOLDFAST_TRY(trace, open_trace(open_text(text), "t.csv"));
  const auto* of = trace.format->as<Record>();
  if (of == nullptr)
    return fail(ErrorCode::bad_format, "", "read as " + std::string(trace.format->name));
  return of->read_all(std::move(trace.lines), {});
}

template <class Record>
std::string refusal(const std::string& text) {
  const auto record = first_guess<Record>(text);
  return record ? "no error" : record.error().text();
}

std::string sample_text(const std::string& name) {
  std::ostringstream out;
  out << std::ifstream("src/holdfast/traces/samples/" + name).rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("first guess: a state of a node holds until its next one") {
  const auto log = first_guess<FailureLog>(
      "timestamp,host,status\n2025-03-01 00:00,n1,UP\n2025-03-01 00:00,n2,idle\n"
      "2025-03-04 10:00,n1,DOWN\n2025-03-04 11:00,n1,down*\n2025-03-04 12:30,n1,UP\n"
      "2025-03-14 23:50,n2,maint\n2025-03-15 00:20,n2,idle\n2025-04-01 08:00,n2,fail\n");
  REQUIRE(log);
  REQUIRE(log->outages.size() == 2);
  CHECK(log->outages.at(0).up - log->outages.at(0).down == 2.5 * 3600);
  CHECK(std::isinf(log->outages.at(1).up));
  CHECK(log->nodes.size() == 2);
  CHECK(log->to - log->from == (31 * 24 + 8) * 3600.0);  // from the first state to the last
  CHECK(refusal<FailureLog>("node,since,state\na,1,up\na,2,asleep\n") ==
        "t.csv:3: state: found 'asleep', expected a state such as up, down or maintenance");
}

TEST_CASE("first guess: beside dates, a number of minutes or hours is a length") {
  for (const char* text : {"hostname,date,downtime (min)\na,2025-03-04 10:00,150\n",
                           "server,failure time,repair time (h)\na,2025-03-04 10:00,2.5\n"}) {
    CAPTURE(text);
    const auto log = first_guess<FailureLog>(text);
    REQUIRE(log);
    CHECK(log->outages.at(0).down == 1741082400);  // date -u -d '2025-03-04 10:00' +%s
    CHECK(log->outages.at(0).up - log->outages.at(0).down == 9000);
  }
}

TEST_CASE("first guess: the time of day in a column beside its date") {
  for (const char* text :
       {"node,down date,down time,up date,up time\na,2025-03-04,10:00,2025-03-05,01:30:30\n",
        "date;time;host;downtime (min)\n04.03.2025;10:00;a;930.5\n",
        "host,date,time,downtime (h)\na,03/04/2025,10:00 AM,15.508333333\nb,03/14/2025,09:00 "
        "PM,1\n"}) {
    CAPTURE(text);
    const auto log = first_guess<FailureLog>(text);
    REQUIRE(log);
    CHECK(log->outages.at(0).down == 1741082400);  // date -u -d '2025-03-04 10:00' +%s
    CHECK(log->outages.at(0).up - log->outages.at(0).down == doctest::Approx(55830).epsilon(1e-9));
  }
  const auto series = first_guess<CapacitySeries>(
      "Date,Time,Carbon "
      "(gCO2/kWh)\n2025-03-01,00:00,100\n2025-03-01,01:00,120\n2025-03-01,02:00,90\n");
  REQUIRE(series);
  CHECK(refusal<FailureLog>("node,down date,down time\na,2025-03-04,10:00\nb,2025-03-05,25:00\n")
            .find("t.csv") == 0);
  // A length beside a date is none: its name says so.
  const auto lengths = first_guess<FailureLog>("node,date,repair time\na,2025-03-04,10:00:00\n");
  REQUIRE(lengths);
  CHECK(lengths->outages.at(0).up - lengths->outages.at(0).down == 36000);
}

TEST_CASE("first guess: lifetimes from a start to a stop, and those of machines that still run") {
  const auto late = first_guess<LifetimeTable>("start,stop,event\n0,12.5,1\n5,30,0\n0,44,1\n");
  REQUIRE(late);
  CHECK(late->lifetimes[1] == Lifetime::censored(30, 5));
  const auto days = first_guess<LifetimeTable>("uptime_days,status\n2,failed\n3,running\n");
  REQUIRE(days);
  CHECK(days->lifetimes[0] == Lifetime::exact(2 * 86400.0));
  CHECK(days->lifetimes[1].is_censored());
}

TEST_CASE("first guess: steps and waiting jobs of sacct") {
  const auto log = first_guess<JobLog>(
      "JobIDRaw|JobName|Submit|Elapsed|NCPUS|State\n"
      "1|a|2025-01-01T00:00:00|01:00:00|16|COMPLETED\n"
      "1.batch|batch|2025-01-01T00:00:00|01:00:00|16|COMPLETED\n"
      "2|b|2025-01-01T00:05:00|00:00:00|4|PENDING\n");
  REQUIRE(log);
  REQUIRE(log->jobs.size() == 2);
  CHECK(log->jobs[0].number == 1);
  CHECK(log->jobs[0].run == 3600);
  CHECK(log->jobs[1].run == -1);
}

TEST_CASE("first guess: what is done in a second is no run time") {
  CHECK(refusal<SpeedupTable>("n_gpus,tokens_per_s\n1,1000\n2,1900\n4,3500\n") != "no error");
  CHECK(refusal<SpeedupTable>("nodes,cells/s\n1,1000\n2,1900\n4,3500\n") != "no error");
  CHECK(refusal<SpeedupTable>("nodes,super_time_s\n1,1000\n2,600\n4,350\n") == "no error");
}

TEST_CASE("first guess: when power is dear, fewer machines run") {
  for (const char* name : {"Day-ahead Price [EUR/MWh]", "total_lmp_da", "Deutschland [€/MWh]"}) {
    CAPTURE(name);
    const auto series = first_guess<CapacitySeries>(
        std::string("time,") + name + "\n2025-01-01 00:00,56.5\n2025-01-01 01:00,50\n");
    REQUIRE(series);
    CHECK(series->of == SeriesOf::carbon);
  }
  CHECK(
      refusal<CapacitySeries>(
          "period,respondent,type-name,value\n2025-01-01T00,CISO,Solar,0\n"
          "2025-01-01T00,CISO,Wind,15\n2025-01-01T01,CISO,Solar,1\n2025-01-01T01,CISO,Wind,16\n") ==
      "t.csv:5: found several rows at the same time, which seem to differ in 'type-name', "
      "expected those of one to be chosen; try where type-name=Solar");
}

TEST_CASE("first guess: W is a unit of power") {
  for (const char* name : {"power_w", "Power (W)"}) {
    CAPTURE(name);
    const auto series = first_guess<CapacitySeries>(std::string("timestamp,") + name +
                                                    "\n1740787200,400\n1740787260,420\n");
    REQUIRE(series);
    CHECK(series->of == SeriesOf::power);
    CHECK(series->points[1].value == 420);
  }
}

TEST_CASE("first guess: names of columns in Latin-1 are shown and taken in UTF-8") {
  const std::string text =
      "noyau;d\xE9"
      "part;cl\xF4ture\nn1;14/03/2025 10:00;14/03/2025 12:30\n"
      "n2;15/03/2025 23:50;16/03/2025 00:20\n";
  CHECK(refusal<FailureLog>(text).find("columns node=noyau,down=départ,up=clôture") !=
        std::string::npos);
}

TEST_CASE(
    "failure logs: the comment 'observed' is honoured by each format that does not state its own") {
  const std::string note = "# observed: 1990-01-01 to 2035-01-01\n";
  for (const char* name :
       {"lanl.csv", "wynton-incidents.csv", "slurm-events.txt", "node-states.csv",
        "alpine-disks.csv", "bluegene-ras.txt", "labelled-log.txt", "service-windows.csv",
        "failures-csv-dates.csv", "sacct.txt"}) {
    CAPTURE(name);
    std::string text = sample_text(name);
    if (text.starts_with("# observed")) continue;
    const bool is_jobs = std::string(name) == "sacct.txt";
    auto trace =
        open_trace(open_text(note + text), name, ReadAs(is_jobs ? "node-fail-jobs" : "failures"));
    REQUIRE(trace);
    const auto log = trace->format->as<FailureLog>()->read_all(std::move(trace->lines), {});
    CHECK((log ? "" : log.error().text()) == "");
    if (!log) continue;
    CHECK(log->from == parse_instant("1990-01-01")->seconds);
    CHECK(log->to == parse_instant("2035-01-01")->seconds);
  }
}
