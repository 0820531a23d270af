#include "holdfast/traces/failures/node_list.hpp"

#include "holdfast/traces/failures/lifetimes.hpp"
#include "holdfast/traces/failures/plain_failures.hpp"
#include "holdfast/traces/failures/site_logs.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

namespace {

using Names = std::vector<std::string>;

Result<Names> names_in(const std::string& text) {
  return read_node_list(LineReader{open_text(text), "nodes.txt"});
}

}  // namespace

TEST_CASE("node list: what scontrol prints, and names alone") {
  CHECK(*names_in("NodeName=n001 Arch=x86_64 State=IDLE\n   OS=Linux NodeName=n002 State=DOWN\n") ==
        Names{"n001", "n002"});
  CHECK(*names_in("# all\n\n n1 \nn2\r\nn1\n") == Names{"n1", "n2"});
  CHECK(names_in("").error().text() == "nodes.txt: found no node, expected at least one");
  CHECK(names_in("n1\nn 2\n").error().text() ==
        "nodes.txt:2: found 'n 2', expected the name of a node, or a line of 'scontrol show node "
        "-o'");
}

TEST_CASE("node list: nodes without an event have never failed") {
  const auto read = [] {
    auto log = read_slurm_events(
        LineReader{open_text("n001|2026-03-02T11:20:31|2026-03-02T12:01:07|DOWN|x\n"
                             "n003|2026-03-04T02:15:00|2026-03-04T02:45:10|DOWN|x\n"
                             "n001|2026-03-09T17:40:12|2026-03-09T18:00:00|FAIL|x\n"),
                   "log"},
        {});
    REQUIRE(log);
    return *log;
  };
  FailureLog log = read();
  CHECK(lifetimes_of(log)->units == 2);
  // n001 under another name, one that is listed no more.
  REQUIRE(count_nodes(log, {"n001.cluster", "n002", "n004", "n005"}));
  CHECK(log.systems.front().nodes == 5);
  const auto lives = lifetimes_of(log);
  REQUIRE(lives);
  CHECK(lives->units == 5);
  CHECK(lives->failures == 3);
  REQUIRE_FALSE(log.oddities.list().empty());
  CHECK(log.oddities.list().back().what == "nodes of the log that the list of nodes does not have");
  CHECK(log.oddities.list().back().count == 1);
}

TEST_CASE("node list: a log of several systems is refused") {
  auto log = read_plain_failures(
      LineReader{open_text("system,node,down,up\nA,n1,1,2\nB,n1,3,4\n"), "log.csv"});
  REQUIRE(log);
  const auto counted = count_nodes(*log, {"n1"});
  REQUIRE_FALSE(counted);
  CHECK(counted.error().message ==
        "found a log of 2 systems, expected one: a list does not say which node is of which");
}
