#include "holdfast/traces/failures/node_list.hpp"

#include "holdfast/traces/failures/lifetimes.hpp"
#include "holdfast/traces/failures/plain_failures.hpp"

#include <doctest/doctest.h>

#include "support/read_text.hpp"
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
        "nodes.txt:2: found 'n 2', expected the name of a node, a list such as n[001-100], a table "
        "with a column of nodes, or what 'scontrol show node' prints");
}

TEST_CASE("node list: every form in which people have one") {
  const std::string forms[] = {
      "n[1-2]\n",
      "n1,n2\n",
      "n1\nn[1-2]\n",
      "hostname,cores\nn1,64\nn2,64\n",
      "cores;\"Host Name\"\n64;n1\n64;\"n2\"\n",
      "NODELIST   NODES PARTITION STATE\nn1  1 debug* idle\nn2  1  debug* down*\nn1 1 all idle\n",
      "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\ndebug* up infinite 0 n/a\nall up 1-00:00 "
      "2 "
      "idle n[1-2]\n",
      "NodeName=n1 Arch=x86_64\n   State=IDLE\n\nNodeName=n2 Arch=x86_64\n",
      "ClusterName=hal\nNodeName=n[1-2] CPUs=64\n",
      "n1\n     state = free\n     np = 64\n\nn2\n     state = down\n",
      "HOST_NAME STATUS JL/U MAX\nn1 ok - 64\nn2 closed - 64\n",
      R"(["n1", "n2"])",
      R"({"nodes": [{"name": "n1", "cpus": 64}, {"name": "n2"}], "meta": {}})",
      R"({"sinfo": [{"nodes": {"total": 2, "nodes": ["n[1-2]"]}}]})",
      R"({"nodes": {"n1": {"np": 1}, "n2": {"np": 1}}})",
      R"({"items": [{"metadata": {"name": "n1"}}, {"metadata": {"name": "n2"}}]})"};
  for (const std::string& text : forms) {
    CAPTURE(text);
    const auto names = names_in(text);
    CHECK((names ? "" : names.error().text()) == "");
    if (names) CHECK(*names == Names{"n1", "n2"});
  }
}

TEST_CASE("node list: names that are none are refused") {
  CHECK(names_in("n1,64\nn2,64\n").error().text() ==
        "nodes.txt: found '64' among the names of nodes, expected names alone or a table with a "
        "header");
  CHECK(
      names_in("REASON USER TIMESTAMP NODELIST\nx root 2025 n1\n").error().text() ==
      "nodes.txt:1: found the nodes that are out of service (sinfo -R), expected all nodes (sinfo "
      "-h -N -o %N)");
  for (const char* text :
       {"n{1..3}\n", "n1 n2\n", "<html>\n", "{\"x\": 1}", "[1, 2]", "{", "n[1-\n"}) {
    CAPTURE(std::string(text));
    CHECK_FALSE(names_in(text));
  }
}

TEST_CASE("node list: nodes without an event have never failed") {
  const auto read = [] {
    auto log = test::read_text<FailureLog>("slurm-events",
                                           "n001|2026-03-02T11:20:31|2026-03-02T12:01:07|DOWN|x\n"
                                           "n003|2026-03-04T02:15:00|2026-03-04T02:45:10|DOWN|x\n"
                                           "n001|2026-03-09T17:40:12|2026-03-09T18:00:00|FAIL|x\n");
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
