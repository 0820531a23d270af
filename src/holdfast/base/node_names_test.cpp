#include "holdfast/base/node_names.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

namespace {
using Names = std::vector<std::string>;
}

TEST_CASE("node names: a list of nodes becomes names") {
  CHECK(*expand_nodes("vm") == Names{"vm"});
  CHECK(*expand_nodes("n[001-003,7],gpu[1-2]x") ==
        Names{"n001", "n002", "n003", "n7", "gpu1x", "gpu2x"});
  CHECK(*expand_nodes("r[1-2]n[08-10]") ==
        Names{"r1n08", "r1n09", "r1n10", "r2n08", "r2n09", "r2n10"});
  CHECK(expand_nodes("n[1-100000]")->size() == 100'000);
}

TEST_CASE("node names: what is not a list of nodes is refused") {
  for (const auto* text :
       {"", "n[1-", "n[3-1]", "n[a]", "n1]", "n[1-100001]", "a,,b", "n[]", "n[1-1000][1-1000]"}) {
    CAPTURE(text);
    const auto nodes = expand_nodes(text);
    REQUIRE_FALSE(nodes);
    CHECK(nodes.error().where.empty());
  }
}

TEST_CASE("node names: an index finds what a search does") {
  const Names names = {"n1.cluster", "n2", "n10", "n2"};
  const std::vector<std::string_view> views(names.begin(), names.end());
  const NodeIndex index(views);
  for (const auto* name : {"n1", "n2", "n2.cluster", "n1.other", "n1.cluster", "n3", ""}) {
    CAPTURE(name);
    CHECK(index.find(name) == node_number(names, name));
  }
}

TEST_CASE("node names: what scontrol prints of its nodes") {
  const auto nodes = parse_listed_nodes(
      "NodeName=n1 Arch=x86_64 State=IDLE+DRAIN BootTime=2026-11-01T12:00:00 SlurmdStartTime=x\n"
      "\nsomething else\nNodeName=n2 BootTime=None State=DOWN*\r\n");
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].name == "n1");
  CHECK(nodes[0].state == "IDLE+DRAIN");
  CHECK(nodes[0].boot == "2026-11-01T12:00:00");
  CHECK(nodes[1].boot == "None");
  CHECK(nodes[1].state == "DOWN*");
}

TEST_CASE("node names: names with a domain are those without") {
  const Names names = {"n1.cluster", "n2", "n10"};
  CHECK(node_number(names, "n2") == 1);
  CHECK(node_number(names, "n1") == 0);
  CHECK(node_number(names, "n2.cluster") == 1);
  CHECK(node_number(names, "n1.other") == 0);
  CHECK_FALSE(node_number(names, "n3"));
}
