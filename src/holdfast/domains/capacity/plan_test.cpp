#include "holdfast/domains/capacity/plan.hpp"

#include "holdfast/domains/capacity/strategies.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;
using namespace holdfast::capacity;

namespace {

// Three machines of 4 cores, two in use; machine 0 is full until 130, machine 1 has 2 cores until 150.
const std::string kState =
    R"("now": 100, "alive_now": 3, "used_machines": 2, "cores": 4, "distance": 1,
       "running": [{"machine": 0, "cores": 4, "start": 90, "length": 40},
                   {"machine": 1, "cores": 2, "start": 50, "length": 100}])";

Result<Decision> decide_on(const std::string& more, const std::string& strategy) {
  const auto document = parse_json("{" + kState + ", " + more + "}");
  REQUIRE(document);
  HOLDFAST_TRY(state, read_live_state(*document));
  const auto entries = strategies();
  return decide(state, parse_strategy(strategy, entries).value());
}

std::string told(const std::string& more, const std::string& strategy) {
  const auto decision = decide_on(more, strategy);
  if (!decision) return decision.error().text();
  if (!decision->answer.machine) return "waits";
  return std::to_string(*decision->answer.machine) + " at " +
         std::to_string(*decision->answer.start);
}

}  // namespace

TEST_CASE("plan: where a job goes now") {
  const std::string small = R"("job": {"release": 100, "cores": 2, "length": 60, "category": 0.0})";
  const std::string wide = R"("job": {"release": 100, "cores": 4, "length": 60, "category": 0.0})";
  CHECK(told(small, "first-fit-aware") == "1 at 100");
  CHECK(told(wide, "first-fit-aware") == "2 at 100");
  CHECK(told(small, "target-asap") == "1 at 100");  // target 0, its neighbour has room
  CHECK(told(wide, "target-asap") == "0 at 130");   // no machine in use has: the earliest start
  CHECK(told(small, "target-stretch") == "1 at 100");
  // A stretch of (130 + 60 - 100) / 60 = 1.5 is allowed: it waits on its target.
  CHECK(told(small + R"(, "largest_stretch": 1.5)", "target-stretch") == "0 at 130");
  CHECK(told(small + R"(, "largest_stretch": 1.4)", "target-stretch") == "1 at 100");
}

TEST_CASE("plan: planned jobs keep their cores, and start later where they must") {
  const std::string job = R"("job": {"release": 100, "cores": 4, "length": 10, "category": 0.0})";
  CHECK(told(job + R"(, "planned": [{"machine": 0, "cores": 1, "start": 130, "length": 30}])",
             "target-asap") == "1 at 150");
  CHECK(told(job + R"(, "planned": [{"machine": 0, "cores": 1, "start": 120, "length": 30}])",
             "target-asap") == "1 at 150");  // from 130 on, when machine 0 has cores
  CHECK(told(R"("job": {"cores": 5, "length": 1})", "target-asap") ==
        "/job/cores: found 5, expected at most 4, the cores of a machine");
}

TEST_CASE("plan: without a machine the job waits") {
  const auto document = parse_json(
      R"({"now": 5, "alive_now": 0, "cores": 4, "job": {"release": 5, "cores": 1, "length": 2}})");
  const auto state = read_live_state(*document);
  REQUIRE(state);
  const auto entries = strategies();
  for (const char* strategy : {"first-fit-aware", "target-asap"}) {
    const auto decision = decide(*state, parse_strategy(strategy, entries).value());
    REQUIRE(decision);
    CHECK_FALSE(decision->answer.machine);
  }
}
