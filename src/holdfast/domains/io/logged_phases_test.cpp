#include "holdfast/domains/io/logged_phases.hpp"

#include "holdfast/domains/io/instance_io.hpp"

#include <doctest/doctest.h>

using namespace holdfast;
using namespace holdfast::io;

namespace {

IoLog two_ranks() {
  // Ranks 0 and 1 write together twice; one second apart, then four.
  return {.name = "",
          .operations = {{0, true, 10, 1, 2},
                         {1, true, 10, 1.5, 2.5},
                         {0, true, 5, 3.5, 4},
                         {1, true, 5, 8, 8.5}},
          .processes = 2,
          .duration = 10,
          .oddities = {}};
}

}  // namespace

TEST_CASE("io logs: operations that are near are one, what lies between is work") {
  struct Row {
    double gap;
    std::vector<double> amounts;  // work and I/O in turn
  };
  // The pauses that lie inside an operation follow it: 1 s, then 1 s and 4 s.
  const Row rows[] = {{0.5, {1, 20, 1, 5, 4, 5, 1.5}}, {2, {1, 25, 5, 5, 1.5}}, {5, {1, 30, 6.5}}};
  for (const Row& row : rows) {
    CAPTURE(row.gap);
    const auto found = phases_of(two_ranks(), {.file = "f", .run = "", .gap = row.gap, .work = {}});
    REQUIRE(found);
    REQUIRE(found->phases.size() == row.amounts.size());
    for (std::size_t i = 0; i < row.amounts.size(); ++i) {
      CHECK(found->phases[i].amount == row.amounts[i]);
      CHECK((found->phases[i].kind == Phase::Kind::io) == (i % 2 == 1));
    }
    CHECK(found->bandwidth == 30 / 2.5);  // busy: 1.5 s together, 0.5 s, 0.5 s
    double takes = 0;
    for (const Phase& phase : found->phases) {
      takes += phase.kind == Phase::Kind::io ? phase.amount / found->bandwidth : phase.amount;
    }
    CHECK(takes == doctest::Approx(10).epsilon(1e-15));
    CHECK(found->processes == 2);
  }
}

TEST_CASE("io logs: totals become read, work, write, and ask how long the work is") {
  const IoLog log{.name = "r",
                  .operations = {{0, false, 100, 0, 1}, {0, true, 300, 1, 4}},
                  .duration = 4,
                  .has_dates = false,
                  .oddities = {}};
  CHECK_FALSE(phases_of(log, {.file = "f", .run = "", .work = {}}));
  const auto found = phases_of(log, {.file = "f", .run = "", .work = 60});
  REQUIRE(found);
  REQUIRE(found->phases.size() == 3);
  CHECK(found->phases[1].amount == 60);
  CHECK(found->bandwidth == 100);
}

TEST_CASE("io logs: totals work as long as was said, whatever is known of their times") {
  struct Row {
    std::vector<IoOperation> operations;
    std::vector<double> amounts;
    std::size_t work;  // position
  };
  const Row rows[] = {{{{0, false, 100, 0, 0}, {0, true, 300, 0, 3}}, {100, 60, 300}, 1},
                      {{{0, false, 100, 0, 2}}, {100, 60}, 1},
                      {{{0, true, 100, 0, 2}}, {60, 100}, 0}};
  for (const Row& row : rows) {
    const IoLog log{.name = "r", .operations = row.operations, .has_dates = false, .oddities = {}};
    const auto found = phases_of(log, {.file = "f", .run = "", .work = 60});
    REQUIRE(found);
    REQUIRE(found->phases.size() == row.amounts.size());
    for (std::size_t i = 0; i < row.amounts.size(); ++i) {
      CHECK(found->phases[i].amount == row.amounts[i]);
      CHECK((found->phases[i].kind == Phase::Kind::work) == (i == row.work));
    }
  }
}

TEST_CASE("io logs: an application of an instance may name its log") {
  const auto instance =
      read_instance(parse_json(R"({"bandwidth": 1e5, "window": [0, 30], "applications": [
        {"log": "darshan-dxt.csv", "repeat": true},
        {"log": {"file": "io-totals.csv", "run": "r1", "work": "1min"}, "nodes": 7}]})")
                        .value(),
                    "src/holdfast/traces/samples");
  REQUIRE(instance);
  const Application& first = instance->applications[0];
  CHECK(first.nodes == 2);
  CHECK(first.bandwidth == 9000 / 1.5);
  CHECK(first.phases.size() == 4);  // read, work, write of both ranks, work
  CHECK(instance->applications[1].nodes == 7);
  CHECK(instance->applications[1].bandwidth == 1000);
  CHECK(instance->applications[1].phases[1].amount == 60);
  const auto unknown =
      read_instance(parse_json(R"({"bandwidth": 1, "window": [0, 1], "applications": [
        {"log": {"file": "io-totals.csv", "run": "r9", "work": 1}}]})")
                        .value(),
                    "src/holdfast/traces/samples");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().where.starts_with("/applications/0/log"));
}
