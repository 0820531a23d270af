#include "holdfast/arbiter/standing.hpp"

#include <doctest/doctest.h>

using namespace holdfast::arbiter;

TEST_CASE("where an application stands comes back from the wire") {
  const Standing before{.handle = 3,
                        .uid = 1000,
                        .nodes = 4,
                        .name = "job",
                        .stage = Stage::write,
                        .rate = 250'000'000,
                        .share = 0.25,
                        .moved = 1'000'000,
                        .age = 100,
                        .delay = 5,
                        .longest_wait = 12.5};
  const Standing after = standing_of(state_of(before));
  CHECK(after.handle == 3);
  CHECK(after.uid == 1000);
  CHECK(after.nodes == 4);
  CHECK(after.name == "job");
  CHECK(after.stage == Stage::write);
  CHECK(after.rate == 250'000'000);
  CHECK(after.share == 0.25);
  CHECK(after.moved == 1'000'000);
  CHECK(after.age == doctest::Approx(100).epsilon(1e-12));
  CHECK(after.delay == doctest::Approx(5).epsilon(1e-12));
  CHECK(after.yield == doctest::Approx(0.95).epsilon(1e-12));
  CHECK(after.longest_wait == 12.5);
  CHECK(standing_of(state_of(Standing{.share = 1, .longest_wait = 1e9})).longest_wait == 6553.5);
  CHECK(standing_of(state_of(Standing{.share = 1, .longest_wait = 1e9})).share == 1);
  CHECK(standing_of(State{.phase = 77}).stage == Stage::idle);
  CHECK(standing_of(State{}).yield == 0);
}

TEST_CASE("where the arbiter stands comes back from the end of a round") {
  const State frame = state_of(Totals{.bandwidth = 2e9,
                                      .granted = 1.5e9,
                                      .connections = 12,
                                      .pending = 3,
                                      .decisions = 77,
                                      .policy = "fcfs"});
  CHECK(frame.handle == 0);
  const Totals after = totals_of(frame, 2);
  CHECK(after.bandwidth == 2e9);
  CHECK(after.granted == 1.5e9);
  CHECK(after.connections == 12);
  CHECK(after.pending == 3);
  CHECK(after.decisions == 77);
  CHECK(after.epoch == 2);
  CHECK(after.policy == "fcfs");
}
