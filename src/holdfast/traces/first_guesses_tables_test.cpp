// Tables as people have them, of the kinds that need no word: what they mean.
#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include "support/oddity_counts.hpp"
#include <cmath>
#include <string>

using namespace holdfast;
using holdfast::test::counts;

namespace {

Result<OpenTrace> opened(const std::string& text) {
  return open_trace(open_text(text), "t.csv");
}

template <class Record>
Record read(const std::string& text) {
  CAPTURE(text);
  auto trace = opened(text);
  REQUIRE((trace ? "" : trace.error().text()) == "");
  const auto* of = trace->format->as<Record>();
  REQUIRE(of != nullptr);
  auto record = of->read_all(std::move(trace->lines), {});
  REQUIRE((record ? "" : record.error().text()) == "");
  return std::move(*record);
}

std::string refusal(const std::string& text) {
  const auto trace = opened(text);
  return trace ? "no error" : trace.error().text();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("tables: rows that say down and up are states, not outages of no length") {
  for (const char* text :
       {"date,time,node,event\n2025-03-01,08:00,n1,down\n2025-03-01,09:00,n1,up\n"
        "2025-03-02,10:00,n2,down\n2025-03-02,12:30,n2,up\n",
        "timestamp;host;action\n01.03.2025 08:00;n1;FAIL\n01.03.2025 09:00;n1;repaired\n"
        "02.03.2025 10:00;n2;fail\n02.03.2025 12:30;n2;repaired\n"}) {
    const auto log = read<FailureLog>(text);
    REQUIRE(log.outages.size() == 2);
    CHECK(log.outages.at(0).up - log.outages.at(0).down == 3600);
    CHECK(log.outages.at(1).up - log.outages.at(1).down == 9000);
  }
  // A log of nothing but failures has no states.
  CHECK(read<FailureLog>("time,node,event\n2025-03-01 08:00,n1,failure\n2025-03-02,n1,failure\n")
            .format == "failures-csv");
}

TEST_CASE("tables: a column of 0 and 1 for each node, or a row for each sample") {
  std::string wide = "\"Time\",\"{instance=\"\"a:9100\"\"}\",b\n", rows = "Series;Time;Value\n";
  for (int minute = 10; minute < 60; minute += 10) {
    const bool is_up = minute != 20 && minute != 30;
    const std::string time = "2025-05-01 00:" + std::to_string(minute);
    wide += time + (is_up ? ",1" : ",0") + (minute == 10 ? ",0\n" : minute == 40 ? ",\n" : ",1\n");
    rows += "up{instance=\"a:9100\"};" + time + (is_up ? ";1\n" : ";0\n");
    rows += "b;" + time + (minute == 10 ? ";0\n" : ";1\n");
  }
  for (const std::string& text : {wide, rows}) {
    const auto log = read<FailureLog>(text);
    REQUIRE(log.outages.size() == 1);
    CHECK(log.nodes[log.outages.at(0).node].name == "a");
    CHECK(log.outages.at(0).up - log.outages.at(0).down == 1200);
    CHECK(log.systems[0].nodes == 2);
    CHECK(log.to - log.from == 2400);
    CHECK(counts(log.oddities).front().first == "nodes that were down when the record began");
  }
  CHECK(has(refusal("time,status,group\n6,1,0\n13,0,1\n21,1,1\n"), "no error"));  // lifetimes
}

TEST_CASE("tables: lifetimes of one column, or of two without names") {
  for (const char* text :
       {"hours\n120\n340.5\n88\n", "ttf (h)\n120\n340,5\n88\n", "TTF [h]\n120\n340.5\n88\n"}) {
    const auto table = read<LifetimeTable>(text);
    REQUIRE(table.lifetimes.size() == 3);
    CHECK(table.lifetimes[1].low == 340.5 * 3600);
    CHECK(table.lifetimes[1].high == table.lifetimes[1].low);
  }
  for (const char* text : {"12.5 1\n30.1 0\n8.2 1\n", "12.5,1\n30.1,0\n8.2,1\n"}) {
    const auto table = read<LifetimeTable>(text);
    REQUIRE(table.lifetimes.size() == 3);
    CHECK(table.lifetimes[0].high == 12.5);
    CHECK(table.lifetimes[1].is_censored());
  }
  CHECK(opened("0,1\n30,0\n40,1\n")->format->name == "capacity-csv");  // steps from 0 on
  const auto months = read<LifetimeTable>("months,dead\n3,1\n5,0\n");
  CHECK(months.lifetimes[0].low == 3 * 30.4375 * 86400);
  CHECK(has(refusal("120\n230\n"), "--read-as lifetimes"));
  CHECK(has(refusal("time\n120\n230\n"), "--read-as lifetimes"));  // or when they failed
}

TEST_CASE("tables: German, French and Spanish words for nodes and times") {
  for (const char* text :
       {"Knoten;Ausfall;Wieder da\nn1;13.03.2025 08:15;13.03.2025 10:00\n",
        "Noeud;Début de panne;Fin de panne\nn1;13/03/2025 08:15;13/03/2025 10:00\n",
        "nodo;inicio;fin\nn1;2025-03-13 08:15;2025-03-13 10:00\n"}) {
    CHECK(read<FailureLog>(text).outages.at(0).up - read<FailureLog>(text).outages.at(0).down ==
          6300);
  }
  CHECK(read<JobLog>("JobID;Eingereicht;Beginn;Ende;Kerne\n"
                     "1;13.03.2025 08:00;13.03.2025 08:10;13.03.2025 09:10;4\n")
            .jobs[0]
            .run == 3600);
}

TEST_CASE("tables: units in a second line of names, and in the cells") {
  const auto two_lines = read<CapacitySeries>(
      "Datum,Solar\n,Leistung (MW)\n2025-01-01T00:00+01:00,10\n2025-01-01T01:00+01:00,20\n");
  CHECK(two_lines.of == SeriesOf::power);
  CHECK(two_lines.points.size() == 2);
  const auto cells = read<CapacitySeries>(
      "time;Leistung\n01.01.2025 13:00;12,5 kW\n"
      "01.01.2025 14:00;13 kW\n");
  CHECK(cells.points[0].value == 12500);
  CHECK(cells.of == SeriesOf::power);
  CHECK(counts(cells.oddities).front().first == "values with a unit of power");
}

TEST_CASE("tables: run times that hyperfine measured") {
  const std::string columns = "command,mean,stddev,median,user,system,min,max";
  const auto runs = read<SpeedupTable>(columns +
                                       ",parameter_threads\nsim 1,10.1,0.1,10,9,0.1,9,11,1\n"
                                       "sim 2,5.2,0.1,5,9,0.1,5,6,2\n");
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].seconds == std::vector<double>{10.1, 5.2});
  CHECK(runs[0].processors == std::vector<std::int64_t>{1, 2});
  CHECK(has(refusal(columns + "\nsim 1,10.1,0.1,10,9,0.1,9,11\n"), "--parameter-list"));
}

TEST_CASE("tables: an outage of local times that ends before it starts saw the clock go back") {
  const auto log = read<FailureLog>(
      "node,down,up\na,2025-10-26 02:50,2025-10-26 02:10\n"
      "a,2025-11-01 10:00,2025-11-01 09:30\n");
  REQUIRE(log.outages.size() == 1);
  CHECK(log.outages.at(0).up - log.outages.at(0).down == 1200);
  CHECK(counts(log.oddities) ==
        std::vector<std::pair<std::string, std::int64_t>>{
            {"outages that end less than an hour before they start, at night", 1},
            {"outages that end before they start", 1}});
}

TEST_CASE("tables: dates of digits alone, and with other marks") {
  for (const char* date : {"20250304T100000Z", "20250304 10:00", "202503041000", "20250304100000",
                           "2025-03-04_10:00:00", "2025-03-04 10:00:00 +0000 UTC"}) {
    CAPTURE(std::string(date));
    const auto log = read<FailureLog>("node;down\nn1;" + std::string(date) + "\n");
    CHECK(log.outages.at(0).down == 1741082400);  // date -u -d '2025-03-04 10:00' +%s
  }
  CHECK(read<FailureLog>("node,down\nn1,20250304\nn2,20250305\n").is_dated);
  CHECK_FALSE(read<FailureLog>("node,down\nn1,20250304\nn2,20259305\n").is_dated);
}

TEST_CASE("tables: times of jobs in milliseconds are no run times, and GPUs count alone") {
  const auto ms = read<JobLog>(
      "id,submit_ms,start_ms,end_ms,cpus\n"
      "1,1740816000000,1740816060000,1740819660000,4\n");
  CHECK(ms.jobs[0].run == 3600);
  const auto gpus = read<JobLog>(
      "{\"job_id\":1,\"submit_time\":1740816000,\"start_time\":1740816060,"
      "\"end_time\":1740819660,\"num_gpus\":8}\n");
  CHECK(gpus.jobs[0].processors == 8);
}

TEST_CASE("tables: what is no trace gets a word on what would be one") {
  CHECK(has(refusal("1|a|2026-01-01T00:00:00|2026-01-01T01:00:00|4|COMPLETED\n"),
            "sacct without -n"));
  CHECK(has(refusal("Mar  1 08:00:01 n1 kernel: NVRM: Xid 79\n"), "journalctl -o short-iso"));
  CHECK(has(refusal("Job id   Name   User   Time Use S Queue\n12.srv  a  u  00:10:00 R work\n"),
            "server_priv/accounting"));
  CHECK(has(refusal("JobId=123 JobName=a\n   SubmitTime=2026-01-01T00:00:00\n"), "sacct -X -P"));
  CHECK(has(refusal("{\"status\": \"success\", \"data\": {\"resultType\": \"vector\"}}"),
            "query_range"));
  CHECK(has(refusal("NAME STATUS ROLES AGE\nn-1 Ready <none> 10d\n"), "a list of nodes"));
  CHECK(has(refusal("# A title\n\nSome prose, with commas, and words.\n"), "no known kind"));
  CHECK(has(refusal("%PDF-1.4\n1 0 obj\n"), "a PDF"));
  CHECK(has(refusal("job\tqueued\tstarted\twalltime\n1\tx\ty\t1:00:00\n"), "4 columns"));
}
