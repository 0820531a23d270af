#include "holdfast/steward/look.hpp"

#include "holdfast/steward/capacity_source.hpp"
#include "holdfast/steward/slurm.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <fstream>
#include <string>

using namespace holdfast;
using namespace holdfast::steward;

TEST_CASE("look: the lines of squeue") {
  const auto jobs = parse_queue(
      "17|PENDING||8|1|all|1795774788|1795774888|3:00|BeginTime||(null)\n"
      "16|RUNNING|n[01-02]|48|2|all|1795774700|1795774788|1-00:00:00|None|n01,n02|length=7|x\n");
  REQUIRE(jobs);
  REQUIRE(jobs->size() == 2);
  CHECK((*jobs)[0].id == "17");
  CHECK((*jobs)[0].start == 1795774888);
  CHECK((*jobs)[0].limit == 180);
  CHECK((*jobs)[0].wanted.empty());
  CHECK((*jobs)[0].comment.empty());
  CHECK((*jobs)[1].nodes == "n[01-02]");
  CHECK((*jobs)[1].node_count == 2);
  CHECK((*jobs)[1].limit == 86400);
  CHECK((*jobs)[1].wanted == "n01,n02");
  CHECK((*jobs)[1].comment == "length=7|x");
  CHECK(parse_queue("")->empty());
  CHECK(parse_queue("17|PENDING\n").error().where == "squeue:1");
  CHECK(parse_queue("1|RUNNING|n1|x|1|all|1|1|3:00|None||\n").error().where == "squeue:1");
}

TEST_CASE("look: the lines of scontrol, and which nodes take jobs") {
  const auto nodes = parse_nodes(
      "NodeName=n01 CPUAlloc=8 CPUEfctv=24 CPUTot=24 State=MIXED Partitions=all,big \n"
      "NodeName=n16 CPUTot=24 State=DOWN+DRAIN Partitions=all Reason=holdfast: 15 of 16 "
      "[root@2026-11-27T10:19:51]\n");
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].cores == 24);
  CHECK(nodes[0].partitions == "all,big");
  CHECK(nodes[0].reason.empty());
  CHECK(nodes[0].is_usable());
  CHECK(nodes[1].reason == "holdfast: 15 of 16");
  CHECK_FALSE(nodes[1].is_usable());
  for (const char* state : {"IDLE", "ALLOCATED", "MIXED+CLOUD", "IDLE+COMPLETING", "COMPLETING"}) {
    CHECK(SeenNode{.state = state}.is_usable());
  }
  for (const char* state : {"DOWN", "IDLE+DRAIN", "IDLE+POWERED_DOWN", "IDLE+POWERING_UP", "DOWN*",
                            "IDLE*", "IDLE+MAINT", "UNKNOWN", "MIXED+NOT_RESPONDING"}) {
    CHECK_FALSE(SeenNode{.state = state}.is_usable());
  }
}

TEST_CASE("slurm: what an action asks of it") {
  const auto text = [](const Action& action, Switch how) {
    std::string out;
    for (const std::string& word : command_of(action, how)) out += (out.empty() ? "" : " ") + word;
    return out;
  };
  CHECK(text({.what = Action::Do::place, .job = "17", .node = "n03"}, Switch::drain) ==
        "scontrol update JobId=17 ReqNodeList=n03");
  const Action off{.what = Action::Do::off, .node = "n16", .because = "15 of 16 nodes may be on"};
  CHECK(text(off, Switch::drain) ==
        "scontrol update NodeName=n16 State=DRAIN Reason=holdfast: 15 of 16 nodes may be on");
  CHECK(text(off, Switch::down).find("State=DOWN ") != std::string::npos);
  CHECK(text(off, Switch::power).find("State=POWER_DOWN_FORCE ") != std::string::npos);
  CHECK(text({.what = Action::Do::on, .node = "n16"}, Switch::power) ==
        "scontrol update NodeName=n16 State=POWER_UP");
  CHECK(text({.what = Action::Do::on, .node = "n16"}, Switch::down) ==
        "scontrol update NodeName=n16 State=RESUME");
}

TEST_CASE("capacity: caps by the time of day") {
  const auto caps = parse_caps("08:00-20:00=6,22:30-06:00=12");
  REQUIRE(caps);
  CHECK((*caps)[0].holds_at(8 * 3600));
  CHECK_FALSE((*caps)[0].holds_at(20 * 3600));
  CHECK((*caps)[1].holds_at(23 * 3600));
  CHECK((*caps)[1].holds_at(0));
  CHECK_FALSE((*caps)[1].holds_at(6 * 3600));
  for (const char* text : {"6", "08:00-20:00", "8-20=6", "08:00-08:00=1", "08:00-25:00=6",
                           "08:00-20:00=-1", "08:60-20:00=1", "=5", "a-b=c", ""}) {
    CAPTURE(text);
    CHECK_FALSE(parse_caps(text));
  }
}

TEST_CASE("capacity: a file that an operator edits, and a series") {
  const Scratch folder;
  const std::string file = (folder.path() / "nodes-on.txt").string();
  const auto write = [&](const std::string& text, int age) {
    std::ofstream(file) << text;
    std::filesystem::last_write_time(
        file, std::filesystem::file_time_type::clock::now() - std::chrono::seconds(age));
  };
  write("9\n", 100);
  CapacitySource source({.file = file}, 16, 1000);
  CHECK(source.at(1000) == 9);
  write("20\n", 50);
  CHECK(source.at(1001) == 16);  // there are no more
  write("nine\n", 40);
  CHECK_FALSE(source.at(1002));
  write("0,12\n60,6\n120,9\n180,9\n", 30);
  CapacitySource series(
      {.file = file, .series = Value::object({{"rule", "count"}, {"unit", "1s"}})}, 16, 1000);
  CHECK(series.at(1000) == 12);
  CHECK(series.at(1035) == 12);
  CHECK(series.at(1060) == 6);
  CHECK(series.at(1125) == 9);
}
