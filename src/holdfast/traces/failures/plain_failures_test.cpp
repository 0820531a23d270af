#include "holdfast/traces/failures/plain_failures.hpp"

#include "holdfast/traces/failures/lifetimes.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/shared_data.hpp"
#include <array>
#include <cmath>
#include <string>

using namespace holdfast;

namespace {

Result<FailureLog> read_plain(const std::string& text, std::optional<std::string> system = {}) {
  return read_plain_failures(LineReader{open_text(text), "log.csv"}, std::move(system));
}
std::string message(const std::string& text, std::optional<std::string> system = {}) {
  const auto log = read_plain(text, std::move(system));
  return log ? "no error" : log.error().text();
}

}  // namespace

TEST_CASE("failures-csv: seconds, with a node that never failed and one that is still down") {
  const auto log = read_plain(
      "\xEF\xBB\xBF# made by hand\nnode, down ,up\r\nn1,100.5,200\r\n\"n,2\",,\nn3,1e3,\n");
  REQUIRE(log);
  CHECK(log->rows == 2);
  CHECK(log->nodes.size() == 3);
  CHECK(log->nodes[1].name == "n,2");
  CHECK(log->outages.at(0).down == 100.5);
  CHECK(std::isinf(log->outages.at(1).up));
  CHECK(log->from == 100.5);
  CHECK(log->to == 1000);
  CHECK_FALSE(log->is_dated);
}

TEST_CASE(
    "failures-csv: dates with and without zone, to the coarsest or finest digit that is written") {
  const auto log = read_plain(
      "node,down,up\na,2024-03-01T10:00Z,2024-03-01 10:30:05\nb,2024-03-01T12:00+02:00,\n");
  REQUIRE(log);
  CHECK(log->is_dated);
  CHECK(log->resolution == 1);
  CHECK(log->outages.at(0).down == 1709287200);  // date -u -d 2024-03-01T10:00 +%s
  CHECK(log->outages.at(0).up == 1709287200 + 1805);
  CHECK(log->outages.at(1).down == 1709287200);
  CHECK(read_plain("node,down,up\na,2024-03-01,2024-03-02\n")->resolution == 86400);
}

TEST_CASE(
    "failures-csv: further columns are systems and starts of service; others are reported and "
    "not used") {
  const char* text =
      "cause,system,node,down,up,in_service\n"
      "cpu,A,1,10,20,5\ncpu,B,1,30,40,\n,B,2,,,7\n";
  const auto all = read_plain(text);
  REQUIRE(all);
  CHECK(all->systems.size() == 2);
  CHECK(all->nodes.size() == 3);
  CHECK(all->nodes[0].service.start.value() == 5);
  CHECK_FALSE(all->nodes[1].service.start);
  REQUIRE(all->oddities.list().size() == 1);
  CHECK(all->oddities.list()[0].what == "columns of other names: cause");
  const auto one = read_plain(text, "B");
  REQUIRE(one);
  CHECK(one->rows == 1);
  CHECK(one->nodes.size() == 2);
  CHECK(one->from == 10);  // the log was kept from there on
  CHECK(message(text, "C") == "found no system 'C', known: A, B");
}

TEST_CASE("failures-csv: each node has its own window of observation") {
  // a is new at 0 and seen from 400 on: its life of 500 s is truncated at 400. b's age is not known: 300 s until it fails.
  const auto log = read_plain(
      "node,down,up,in_service,observed_from,observed_until\n"
      "a,500,500,0,400,900\nb,700,700,,400,\n");
  REQUIRE(log);
  CHECK(log->from == 400);
  CHECK(log->to == 900);
  const auto lives = lifetimes_of(*log);
  REQUIRE(lives);
  REQUIRE(lives->lifetimes.size() == 3);
  CHECK(lives->lifetimes[0] == Lifetime::exact(500, 400));
  CHECK(lives->lifetimes[1] == Lifetime::censored(400));
  CHECK(lives->lifetimes[2] == Lifetime::censored(200));
  REQUIRE(lives->ageless.size() == 1);
  CHECK(lives->ageless[0] == Lifetime::exact(300));
  CHECK(lives->watched[0].from == 400);
  CHECK(lives->watched[0].to == 900);
  const auto again = read_plain(write_plain_failures(*log));
  REQUIRE(again);
  for (std::size_t i = 0; i < 2; ++i) CHECK(again->nodes[i].service == log->nodes[i].service);
  const char* header = "node,down,up,observed_from,out_of_service\n";
  CHECK(message(header + std::string("a,5,,10,20\n")) ==
        "log.csv:2: down: found '5', expected a time from which on the node is observed");
  CHECK(message(header + std::string("a,15,,10,10\n")) ==
        "log.csv:2: observed_from: found '10', expected a time before the node is out of service");
}

TEST_CASE("failures-csv: what is broken is refused with file, line and column") {
  CHECK(message("") == "log.csv: found no header row, expected names of columns");
  CHECK(message("node,colour,up\na,1,2\n") ==
        "log.csv: found columns node, colour, up, expected one for down; try columns "
        "node=node,down=colour,up=up");
  CHECK(message("node,down,up\n") == "found no outage, expected at least one");
  CHECK(message("node,down,up\na,,\n") == "found no outage, expected at least one");
  CHECK(message("node,down,up\na,1\n") == "log.csv:2: found 2 fields, expected 3 as in the header");
  CHECK(message("node,down,up\na,1,2,3\n") ==
        "log.csv:2: found 4 fields, expected 3 as in the header");
  CHECK(message("node,down,up\n,1,2\n") ==
        "log.csv:2: node: found nothing, expected a node's name");
  CHECK(message("node,down,up\na,,2\n") ==
        "log.csv:2: down: found nothing, expected a time because the row has one under 'up'");
  CHECK(message("node,down,up\na,yesterday,2\n") ==
        "log.csv:2: down: found 'yesterday', expected seconds or a date such as 2024-03-01T10:00");
  CHECK(message("node,down,up\na,nan,2\n") ==
        "log.csv:2: down: found nothing, expected a time because the row has one under 'up'");
  CHECK(message("node,down,up\na,1,inf\n") ==
        "log.csv:2: up: found 'inf', expected seconds or a date such as 2024-03-01T10:00");
  CHECK(message("node,down,up\na,1e999,2\n") ==
        "log.csv:2: down: found '1e999', expected seconds or a date such as 2024-03-01T10:00");
  CHECK(message("node,down,up\na,2024-02-30,\n") ==
        "log.csv:2: down: found '2024-02-30', expected seconds or a date such as 2024-03-01T10:00");
  CHECK(message("node,down,up\na,1,2\nb,2024-03-01,\n") ==
        "log.csv:3: down: found a date, expected seconds as in the rows before");
  CHECK(message("node,down,up\na,2024-03-01,3\n") ==
        "log.csv:2: up: found a number, expected a date as in the rows before");
  CHECK(message("node,down,up\n\"a,1,2\n") ==
        "log.csv:2: found the end of the line inside quotes, expected a closing quote");
  CHECK(message("node,down,up\n\"a\"b,1,2\n") ==
        "log.csv:2: found text behind a closing quote, expected a comma");
  CHECK(message("# observed: 0 to 50\nnode,down,up\na,1,60\n") ==
        "log.csv:3: up: found 60, expected a time in the period that the file says was observed");
  CHECK(message("# observed: 50\nnode,down,up\na,1,60\n") ==
        "comment lines: observed: found '50', expected two times, FROM to TO");
  CHECK(message("# observed: 50 to 1\nnode,down,up\na,1,60\n") ==
        "comment lines: observed: found '50 to 1', expected the earlier time first");
  CHECK(message("# nodes: 0\nnode,down,up\na,1,60\n") ==
        "comment lines: nodes: found 0, expected a number from 1 to 2000000");
  CHECK(message("# nodes: 1e12\nnode,down,up\na,1,60\n") ==
        "comment lines: nodes: found 1000000000000, expected a number from 1 to 2000000");
  CHECK(message("# nodes: 1\nnode,down,up\na,1,60\nb,2,3\n") ==
        "comment lines: nodes: found 1, expected at least the 2 that the rows name");
  CHECK(message("# nodes: 9\nnode,system,down,up\na,A,1,60\nb,B,2,3\n") ==
        "comment lines: nodes: found 2 systems, expected one: name every node in a row instead");
  CHECK(message("# in service: 2024-01-01\nnode,down,up\na,1,60\n") ==
        "log.csv:3: down: found a number, expected a date as in the rows before");
  CHECK(read_plain("").error().code == ErrorCode::bad_format);
}

TEST_CASE("failures-csv: an outage without an end is over when its node fails again") {
  const auto log = read_plain("node,down,up\na,10,\na,20,30\nb,5,6\nb,5,\nc,40,\n");
  REQUIRE(log);
  REQUIRE(log->outages.size() == 4);  // b's second row is the first, seen before it ended
  CHECK(log->outages.at(1).up == 10);
  CHECK(log->outages.at(0).up == 6);
  CHECK(std::isinf(log->outages.at(3).up));
  const auto never = read_plain("node,down,up\na,10,\na,20,\nb,5,\n");
  REQUIRE(never);
  for (const Outage& outage : never->outages) CHECK(outage.up == outage.down);
  const auto twice = read_plain("node,down,up\na,10,\na,10,\na,20,30\na,40,50\n");
  REQUIRE(twice);
  REQUIRE(twice->outages.size() == 3);  // of a row that two dumps have, none stays without an end
  CHECK(twice->outages.at(0).up == 10);
  CHECK(lifetimes_of(*twice)->failures == 3);
  const auto two = read_plain("node,down\na,10\na,20\n");
  REQUIRE(two);
  CHECK(two->outages.at(1).up == 20);
}

TEST_CASE("failure logs: the period can be stated once, and holds all failures") {
  const auto stated = [](FailureLog log, const char* text) {
    const auto period = parse_period(text);
    const Status set = period ? set_observed(log, *period) : fail(period.error());
    return set ? fmt::format("{} to {}, {}", log.from, log.to,
                             log.outages.at(log.outages.size() - 1).up)
               : set.error().message;
  };
  const auto log = read_plain("node,down,up\na,10,20\nb,40,60\n");
  REQUIRE(log);
  CHECK(doubts_about(*log).size() == 2);
  CHECK(stated(*log, "0,100") == "0 to 100, 60");
  CHECK(stated(*log, "15 to 50") == "15 to 50, inf");
  CHECK(stated(*log, "0,30") ==
        "found an end at 30, expected 40 or later, when the log has a failure");
  CHECK(stated(*log, "2025-01-01,2026-01-01") == "found dates, expected seconds as in the log");
  CHECK(stated(*log, "5,4") == "found '5,4', expected the earlier time first");
  CHECK(stated(*log, "5,2025-01-01") == "found '5,2025-01-01', expected two dates or two numbers");
  CHECK(stated(*log, "5") == "found '5', expected two times, FROM to TO");
  const auto own = read_plain("# observed: 0 to 100\n# nodes: 5\nnode,down,up\na,10,20\n");
  REQUIRE(own);
  CHECK(doubts_about(*own).empty());
  CHECK(stated(*own, "0,100") == "found a period, expected none: the log states its own, 0 to 100");
}

TEST_CASE("failures-csv: a log that is written and read again is the same log") {
  const auto log = read_plain(
      "# observed: 0 to 5000\n# nodes: 4\n# in service: 0\nnode,down,up\n\"x \"\"y\"\", "
      "z\",100.25,200\n#2,5,\n"
      "\"#2\",300,\nb,,\nb,7,9\n");
  REQUIRE(log);
  const auto again = read_plain(write_plain_failures(*log, std::array{std::string("a note")}));
  REQUIRE(again);
  REQUIRE(again->outages.size() == log->outages.size());
  for (std::size_t i = 0; i < log->outages.size(); ++i) {
    CHECK(again->outages.at(i).down == log->outages.at(i).down);
    CHECK(again->outages.at(i).up == log->outages.at(i).up);
    CHECK(again->nodes[again->outages.at(i).node].name == log->nodes[log->outages.at(i).node].name);
  }
  CHECK(again->to == log->to);
  CHECK(again->systems[0].nodes == 4);
  CHECK(again->systems[0].service == log->systems[0].service);
}

TEST_CASE("failures-csv: the published log converted to it keeps every outage and every service") {
  const auto path = test::shared_data("failures/lanl-1996-2005.csv.gz");
  if (!path) return;
  const auto log = read_failure_log(*path, "20");
  REQUIRE(log);
  const auto again = read_plain(write_plain_failures(*log));
  REQUIRE(again);
  CHECK(again->outages.size() == log->outages.size());
  CHECK(again->systems[0].nodes == 512);
  CHECK(again->systems[0].service.start == log->systems[0].service.start);
  CHECK(again->to == log->to);
}
