#include "holdfast/traces/records.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/read_text.hpp"
#include "support/shared_data.hpp"
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;
using holdfast::test::looks_like;
using holdfast::test::read_text;
using holdfast::test::shared_data;

namespace {

std::int64_t count_of(const Oddities& oddities, std::string_view what) {
  for (const Oddity& oddity : oddities.list()) {
    if (oddity.what.find(what) != std::string::npos) return oddity.count;
  }
  return 0;
}

/// Reads a failure log of a format.
Result<FailureLog> failures(std::string_view format, std::string text,
                            std::optional<std::string> system = {}) {
  return read_text<FailureLog>(format, std::move(text), "log",
                               {.system = std::move(system), .series = {}});
}

template <class T>
std::string message(const Result<T>& result) {
  return result ? "no error" : result.error().text();
}

}  // namespace

TEST_CASE("bluegene-ras: one fault that many chips see, events that are not fatal") {
  const std::string text =
      "2005-06-05-04.23.03.807985 R22-M0-NE RAS KERNEL FATAL rts internal error\n"
      "2005-06-05-04.23.03.818773 R22-M0-N5 RAS KERNEL FATAL rts internal error\n"
      "2005-06-05-04.30.00.000000 R22-M0-N5 NULL MONITOR FAILURE of a fan\n"
      "2005-06-05-05.30.00.000000 R22-M0-N5 RAS KERNEL INFO all is well\n"
      "2005-06-05-06.30.00.000000 R22-M0-N5 RAS KERNEL FATAL\n";
  CHECK(looks_like("bluegene-ras", text));
  const auto log = failures("bluegene-ras", text);
  REQUIRE(log);
  CHECK(log->outages.size() == 4);
  CHECK(log->nodes.size() == 2);
  CHECK(log->outages.at(0).down == doctest::Approx(1117945383.807985).epsilon(1e-15));
  CHECK(log->outages.at(0).up == log->outages.at(0).down);
  CHECK(count_of(log->oddities, "within a second") == 1);
  CHECK(count_of(log->oddities, "within 20 minutes") == 2);
  CHECK(count_of(log->oddities, "not fatal") == 1);
  CHECK(message(failures("bluegene-ras", "2005-06-05 R22\n")).starts_with("log:1: found no event"));
}

TEST_CASE("alpine-disks: dates with offsets, a column without a name") {
  const std::string text =
      ",Timestamp,SSC,SSU,Enclosure,Slot,Seagate slot\n"
      "0,2019-01-04T14:41:12-0500,2,g,1,29,28\n"
      "1,2019-06-04T14:41:12-0400,2,g,1,29,28\n"
      "2,2019-06-04T14:41:12-0400,5,d,2,23,22\n";
  CHECK(looks_like("alpine-disks", text));
  const auto log = failures("alpine-disks", text);
  REQUIRE(log);
  CHECK(log->nodes.size() == 2);
  CHECK(log->nodes[0].name == "2.g.1.29");
  CHECK(log->outages.at(0).down == 1546630872);  // 19:41:12 UTC
  CHECK(count_of(log->oddities, "same time as another") == 2);
  CHECK(message(failures("alpine-disks", "Timestamp,SSC,SSU,Enclosure,Slot\n5,2,g,1,29\n")) ==
        "log:2: Timestamp: found '5', expected a date");
}

TEST_CASE("wynton-incidents: rows that end before they start, lengths that disagree") {
  const std::string text =
      "year,start,stop,length,severity,affected,reason\n"
      "2018,\"2018-12-21T12:00:00\",\"2018-12-21T13:30:00\",\"1.5 hours\",\"major-outage\",\"jobs, "
      "*\","
      "\"internal\"\n"
      "2018,\"2018-12-20T16:40:00\",\"2018-12-17T17:00:00\",\"72 "
      "hours\",\"partial\",\"jobs\",\"x\"\n"
      "2018,\"2018-12-12T10:20:00\",\"2018-12-12T12:20:00\",\"3.5 "
      "hours\",\"x\",\"*\",\"scheduled\"\n";
  CHECK(looks_like("wynton-incidents", text));
  const auto log = failures("wynton-incidents", text);
  REQUIRE(log);
  CHECK(log->outages.size() == 2);
  CHECK(count_of(log->oddities, "end before they start") == 1);
  CHECK(count_of(log->oddities, "lengths that disagree") ==
        2);  // 72 h against -72 h, 3.5 against 2
  CHECK(count_of(log->oddities, "scheduled") == 1);
  CHECK(count_of(log->oddities, "did not affect all") == 1);
}

TEST_CASE("slurm-events: with a header or without, and which states are failures") {
  const std::string rows =
      "|2026-03-01T00:00:00|2026-03-01T00:10:00||Cluster Registered TRES\n"
      "n001|2026-03-02T11:20:31|2026-03-02T12:01:07|DOWN*|Not responding\n"
      "n002|2026-03-03T08:00:00|2026-03-03T20:00:00|DRAIN|bad disk\n"
      "n003|2026-03-04T02:15:00|2026-03-04T02:45:10|DOWN+DRAIN|x|y\n"
      "n001|2026-03-09T17:40:12|Unknown|FAIL|memory\n"
      "n002|2026-03-10T06:00:00|2026-03-10T09:00:00|MAINT|kernel\n"
      "n004|2026-03-10T06:00:00|2026-03-10T09:00:00|DOWN+REBOOT_ISSUED|kernel\n"
      "n004|2026-03-11T06:00:00|2026-03-11T09:00:00|POWERED_DOWN|\n"
      "n004|2026-03-12T06:00:00|2026-03-12T09:00:00|IDLE|\n";
  CHECK(looks_like("slurm-events", rows));
  CHECK(looks_like("slurm-events", "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n"));
  CHECK_FALSE(looks_like("slurm-events", "node,down,up\n"));
  CHECK_FALSE(looks_like("slurm-events", "a|b|c|d\n"));
  for (const std::string& text : {rows, "NodeName|Start|End|State|Reason\n" + rows}) {
    const auto log = failures("slurm-events", text);
    REQUIRE(log);
    REQUIRE(log->outages.size() == 3);
    CHECK(log->nodes.size() == 2);
    CHECK(log->nodes[0].name == "n001");
    CHECK(log->outages.at(0).up - log->outages.at(0).down == 2436);
    CHECK(std::isinf(log->outages.at(2).up));
    CHECK(count_of(log->oddities, "events of the cluster") == 1);
    CHECK(count_of(log->oddities, "drained") == 1);
    CHECK(count_of(log->oddities, "maintenance") == 3);
    CHECK(count_of(log->oddities, "other states") == 1);
  }
  const auto other = failures("slurm-events",
                              "State|Reason|NodeName|TimeEnd|TimeStart\n"
                              "DOWN|x|n7|Unknown|2026-03-02T11:20:31\n");
  REQUIRE(other);
  CHECK(other->nodes[0].name == "n7");
  CHECK(message(failures("slurm-events",
                         "NodeName|Start|End|State\nn1|2026-03-02T11:20:31|soon|DOWN|x\n")) ==
        "log:2: found 'soon', expected a date");
  CHECK(message(failures("slurm-events", "n1|2026-03-02T11:20:31\n")) ==
        "log: found columns 1, 2, expected one for node and start and end and state; try columns "
        "node=1,start=2");
}

namespace {

std::string event(const char* node, const char* start, const char* end, const char* state) {
  return fmt::format("{}|2026-03-{}:00|{}|{}|x\n", node, start,
                     std::string_view(end) == "Unknown" ? end : fmt::format("2026-03-{}:00", end),
                     state);
}

}  // namespace

TEST_CASE(
    "slurm-events: every state that sacctmgr prints is a failure, planned or something else") {
  const struct {
    const char* state;
    const char* of;  ///< "": a failure
  } rows[] = {{"DOWN", ""},
              {"DOWN*", ""},
              {"down", ""},
              {"FAIL", ""},
              {"FAILG", ""},
              {"FAIL*", ""},
              {"ERROR", ""},
              {"DOWN*+DRAIN", ""},
              {"NOT_RESPONDING", ""},
              {"DOWN$", "planned"},
              {"DOWN~", "planned"},
              {"DOWN%", "planned"},
              {"DOWN#", "planned"},
              {"DOWN!", "planned"},
              {"DOWN^", "planned"},
              {"DOWN@", "planned"},
              {"DOWN$*", "planned"},
              {"MAINT", "planned"},
              {"maint*", "planned"},
              {"BOOT^", "planned"},
              {"DOWN+MAINTENANCE", "planned"},
              {"DRAIN$", "planned"},
              {"REBOOT", "planned"},
              {"POWERED_DOWN", "planned"},
              {"IDLE~", "planned"},
              {"DRAIN", "drained"},
              {"drng", "drained"},
              {"IDLE+DRAIN", "drained"},
              {"DRAIN*", "respond"},
              {"DRNG*", "respond"},
              {"IDLE*", "other"},
              {"MIX", "other"},
              {"", "other"}};
  for (const auto& row : rows) {
    CAPTURE(std::string(row.state));
    const auto log = failures("slurm-events", event("n1", "01T10:00", "01T11:00", "DOWN") +
                                                  event("n2", "02T10:00", "02T11:00", row.state));
    REQUIRE(log);
    const std::string of = row.of;
    CHECK(log->outages.size() == (of.empty() ? 2 : 1));
    CHECK(count_of(log->oddities, "maintenance") == (of == "planned" ? 1 : 0));
    CHECK(count_of(log->oddities, "nodes that were drained") == (of == "drained" ? 1 : 0));
    CHECK(count_of(log->oddities, "did not respond") == (of == "respond" ? 1 : 0));
    CHECK(count_of(log->oddities, "other states") == (of == "other" ? 1 : 0));
  }
  CHECK(message(failures("slurm-events", event("n1", "01T10:00", "01T11:00", "IDLE*") +
                                             event("n2", "01T10:00", "01T11:00", "DRAIN"))) ==
        "found no outage in 2 rows of nodes (1 drained, 0 planned, 1 of other states: IDLE*), "
        "expected at least one of state DOWN, FAIL or ERROR");
}

TEST_CASE("slurm-events: rows of one node that touch are one outage") {
  // Down, another reason, drained while down, a reservation, up again at 15:00; then drained before it goes down.
  const std::string one =
      event("n1", "01T10:00", "01T10:30", "DOWN*") + event("n1", "01T10:30", "01T12:00", "DOWN*") +
      event("n1", "01T12:00", "01T14:00", "DRAIN*") + event("n1", "01T14:00", "01T15:00", "DOWN$");
  const std::string drained =
      event("n1", "05T10:00", "05T11:00", "DRAIN") + event("n1", "05T11:00", "05T12:00", "DOWN");
  const auto log =
      failures("slurm-events", drained + one + event("n2", "01T10:30", "01T11:00", "DOWN"));
  REQUIRE(log);
  REQUIRE(log->outages.size() == 3);
  CHECK(log->rows == 3);
  CHECK(log->outages.at(0).up - log->outages.at(0).down == 5 * 3600);
  CHECK(log->outages.at(2).up - log->outages.at(2).down == 3600);
  CHECK(count_of(log->oddities, "state or reason changed") == 1);
}

TEST_CASE("slurm-events: lists that are joined, rows without an end, a clock that goes back") {
  const std::string header = "NodeName|TimeStart|TimeEnd|State|Reason\n";
  const std::string older = header + event("n1", "01T10:00", "01T11:00", "DOWN") +
                            event("n3", "02T10:00", "Unknown", "DOWN");
  const std::string newer = header + event("n1", "01T10:00", "01T11:00", "DOWN") +
                            event("n3", "02T10:00", "02T12:00", "DOWN") +
                            event("n3", "04T10:00", "04T12:00", "DOWN") +
                            event("n4", "04T10:00", "Unknown", "DOWN");
  auto log = failures("slurm-events", older + newer);
  REQUIRE(log);
  CHECK(log->outages.size() == 4);
  CHECK(count_of(log->oddities, "repeat another") == 2);
  CHECK(std::isinf(log->outages.at(3).up));
  log = failures("slurm-events", event("n1", "01T10:00", "Unknown", "DOWN") +
                                     event("n1", "05T10:00", "05T11:00", "DOWN"));
  REQUIRE(log);
  REQUIRE(log->outages.size() == 2);
  CHECK(log->outages.at(0).up == log->outages.at(0).down);
  CHECK(count_of(log->oddities, "of unknown length") == 0);
  CHECK(count_of(log->oddities, "without an end, before") == 1);
  log = failures("slurm-events", event("n1", "26T02:50", "26T02:10", "DOWN"));
  REQUIRE(log);
  CHECK(log->outages.at(0).up - log->outages.at(0).down == 1200);
}

TEST_CASE(
    "slurm-events: columns under a rule, without a header, of several clusters, in Unix times") {
  const std::string table =
      "   Cluster        NodeName           TimeStart             TimeEnd  State           Reason "
      "\n"
      "---------- --------------- ------------------- ------------------- ------ ---------------- "
      "\n"
      "       hal                 2026-03-01T00:00:00 2026-03-01T00:10:00        Cluster Registe+ "
      "\n"
      "       hal           cn001 2026-03-01T10:00:00 2026-03-01T11:00:00  DOWN* Not responding   "
      "\n"
      "       hal           cn002 2026-03-02T10:00:00             Unknown   DOWN x                "
      "\n";
  const std::string without = table.substr(table.find("hal  "));
  for (const std::string& text : {table, without}) {
    CHECK(looks_like("slurm-events", text));
    const auto log = failures("slurm-events", text);
    REQUIRE(log);
    CHECK(log->outages.size() == 2);
    CHECK(log->systems.front().name == "hal");
    CHECK(log->nodes[1].name == "cn002");
    CHECK(count_of(log->oddities, "events of the cluster") == 1);
  }
  const std::string clusters =
      "CLUSTER|NODENAME|TIMESTART|TIMEEND|STATE\nhal|n1|1772359200|1772362800|DOWN\n"
      "eve|n1|1772359200|1772362800|DOWN|\n";
  CHECK(looks_like("slurm-events", clusters));
  CHECK(failures("slurm-events", clusters)->systems.size() == 2);
  CHECK(failures("slurm-events", clusters, "eve")->outages.size() == 1);
  CHECK(message(failures("slurm-events",
                         clusters + "hal|n2|2026-03-01T10:00:00|2026-03-01T11:00:00|DOWN\n")) ==
        "log:4: found dates and Unix times, expected one of them in all rows");
  CHECK(
      message(failures("slurm-events", "hal|cluster-node-0+|2026-03-01T10:00:00|Unknown|DOWN\n")) ==
      "log:1: found 'cluster-node-0+', expected the whole name of a node: print the events with "
      "sacctmgr -P");
  CHECK_FALSE(
      looks_like("slurm-events", "77|ana|2026-03-01T10:00:00|2026-03-01T11:00:00|COMPLETED|0:0\n"));
  CHECK_FALSE(looks_like("slurm-events", "0 n1 0 1061382000 1061382500 1\n"));
}

TEST_CASE("slurm-events: notes say what rows cannot") {
  const auto log = failures("slurm-events", "# observed: 2026-01-01 to 2027-01-01\n# nodes: 100\n" +
                                                event("n1", "01T10:00", "01T11:00", "DOWN"));
  REQUIRE(log);
  CHECK(log->to - log->from == 365 * 86400.0);
  CHECK(log->systems.front().nodes == 100);
}

TEST_CASE("logs of text: notes before the rows say how long was observed") {
  const std::pair<const char*, const char*> logs[] = {
      {"service-windows", "2026-03-01 10:00:00,2026-03-01 11:00:00\n"},
      {"alpine-disks", "Timestamp,SSC,SSU,Enclosure,Slot\n2026-03-01T10:00:00Z,2,g,1,29\n"},
      {"labelled-log", "- 1772359200 2026.03.01 n1 all is well\nKERN 1772359200 2026.03.01 n1 x\n"},
      {"bluegene-ras", "2026-03-01-10.00.00.000000 R22-M0-NE RAS KERNEL FATAL x\n"}};
  for (const auto& [format, text] : logs) {
    CAPTURE(std::string(format));
    const std::string noted = std::string("# observed: 2026-01-01 to 2027-01-01\n") + text;
    CHECK(looks_like(format, noted));
    const auto log = failures(format, noted);
    CHECK(message(log) == "no error");
    REQUIRE(log);
    CHECK(log->to - log->from == 365 * 86400.0);
  }
}

TEST_CASE("service-windows: not sorted, one overlap") {
  const std::string text =
      "2013-04-08 14:00:17,2013-04-09 00:34:52\n2013-04-01 14:00:09,2013-04-02 01:13:42\n"
      "2013-04-08 20:00:00,2013-04-09 01:00:00\n";
  CHECK(looks_like("service-windows", text));
  CHECK_FALSE(looks_like("service-windows", "1,2\n"));
  const auto log = failures("service-windows", text);
  REQUIRE(log);
  CHECK(log->outages.size() == 3);
  CHECK(count_of(log->oddities, "before the row above") == 1);
  CHECK(count_of(log->oddities, "overlap") == 1);
  CHECK(message(failures("service-windows", "2013-04-08,x\n")) ==
        "log: found columns 1, 2, expected one for end; try columns start=1");
}

TEST_CASE("mira-reservations: nodes, lengths, disorder") {
  const std::string rest =
      ",\"r\",\"mira\",\"q\",0,\"\",382,13180,18000,\"512.0000\",\"1.5\",\"2.0\",\"MIR\",0,"
      "\"complete\"\r\n";
  const std::string text = "\"2013-04-10 18:34:41.000000\",\"2013-04-10 22:14:21.000000\"" + rest +
                           "\"2013-04-10 18:00:00.000000\",\"2013-04-11 22:14:21.000000\"" + rest;
  CHECK(looks_like("mira-reservations", text));
  const auto log = read_text<JobLog>("mira-reservations", text);
  REQUIRE(log);
  CHECK(log->jobs[0] == LoggedJob{.number = 382,
                                  .submit = 1365618881,
                                  .wait = 0,
                                  .run = 13180,
                                  .processors = 512,
                                  .requested_time = 18000});
  CHECK(count_of(log->facts.oddities, "submitted before") == 1);
  CHECK(count_of(log->facts.oddities, "lengths that disagree") == 1);
}

TEST_CASE("titan-gpus: failed, censored, moved, events alone") {
  const std::string text =
      "SN,location,insert,remove,duration,out,event\n"
      "g1,c0,2017-01-01 00:00:00,2017-01-02 00:00:00,86400,FALSE,\n"      // moved
      "g1,c1,2017-01-03 00:00:00,2017-01-03 01:00:00,3600,TRUE,DBE\n"     // failed at 90000
      "g2,c0,2017-01-01 12:00:00,2017-01-05 00:00:00,288000,FALSE,OTB\n"  // overlaps, 4 h off, goes on
      "g3,c2,2017-01-01 00:00:00,2017-01-01 02:00:00,3600,TRUE,\n"        // replaced, clock change
      "g4,c3,,2017-01-01 02:00:00,,,DBE\n";
  CHECK(looks_like("titan-gpus", text));
  const auto table = read_text<LifetimeTable>("titan-gpus", text);
  REQUIRE(table);
  CHECK(table->lifetimes ==
        std::vector<Lifetime>{Lifetime::censored(86400), Lifetime::exact(90000, 86400),
                              Lifetime::censored(288000), Lifetime::censored(3600)});
  const std::pair<const char*, std::int64_t> rows[] = {
      {"events without a life", 1}, {"by exactly an hour", 1},       {"otherwise", 1},
      {"overlap another", 1},       {"to the end of the record", 1}, {"and no event", 1},
      {"stayed in use", 1},         {"in a slot before", 1}};
  for (const auto& [what, count] : rows) {
    CAPTURE(std::string(what));
    CHECK(count_of(table->oddities, what) == count);
  }
}

// Of Alpine's rows 69 share their time with another one: 36 of them with one above.
TEST_CASE("logs of single sites: those of the data collection, with the counts of its page") {
  const struct {
    const char* file;
    const char* format;
    std::size_t records;
    const char* what;
    std::int64_t count;
  } rows[] = {
      {"failures/bluegene-l-fatal-ras-a.txt.gz", "bluegene-ras", 51736, "within 20 minutes",
       51736 - 1 - 284},
      {"failures/alpine-disk-failures.csv.gz", "alpine-disks", 3766, "same time", 69},
      {"capacity/wynton-incidents-2018-2022.csv", "wynton-incidents", 48, "end before", 2},
      {"capacity/wynton-incidents-2018-2022.csv", "wynton-incidents", 48, "lengths", 9},
      {"capacity/mira-maintenance.csv", "service-windows", 161, "overlap", 1},
      {"capacity/mira-reservations-a.csv", "mira-reservations", 623, "submitted before", 53},
      {"failures/titan-gpu-lifetimes.csv.gz", "titan-gpus", 22797, "events without", 558},
      {"failures/titan-gpu-lifetimes.csv.gz", "titan-gpus", 22797, "exactly an hour", 10723},
      {"failures/titan-gpu-lifetimes.csv.gz", "titan-gpus", 22797, "overlap", 10},
      {"speedup/hommexx-summit-scaling.txt", "scaling-blocks", 0, "", 0},
      {"speedup/relearn-extrap.txt", "extrap", 0, "", 0}};
  for (const auto& row : rows) {
    const auto path = shared_data(row.file);
    if (!path) return;
    CAPTURE(std::string(row.file));
    CAPTURE(std::string(row.what));
    auto trace = open_trace(*path);
    REQUIRE(trace);
    CHECK(trace->format->name == row.format);
    const auto records = read_records(std::move(*trace));
    CHECK(message(records) == "no error");
    REQUIRE(records);
    if (row.records == 0) continue;
    std::size_t found = 0;
    if (const auto* log = std::get_if<FailureLog>(&*records)) found = log->outages.size();
    if (const auto* log = std::get_if<JobLog>(&*records)) found = log->jobs.size();
    if (const auto* table = std::get_if<LifetimeTable>(&*records)) found = table->lifetimes.size();
    CHECK(found == row.records);
    CHECK(count_of(oddities_in(*records), row.what) == row.count);
  }
}
