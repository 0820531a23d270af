#include "ranks_model.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("model of ranks: one worker without costs takes the sum of its cells") {
  const RanksOutcome out = simulate(RanksModel{
      .workers = 1, .cells = 1000, .cell_seconds = 0.01, .message_seconds = 0, .store_seconds = 0});
  CHECK(out.seconds == doctest::Approx(10).epsilon(1e-9));
  CHECK(out.idle == doctest::Approx(0).epsilon(1e-9));
}

TEST_CASE("model of ranks: workers share evenly, and short chunks hide the latency of messages") {
  const RanksOutcome out =
      simulate(RanksModel{.workers = 8, .cells = 80'000, .cell_seconds = 1e-3, .latency = 1e-3});
  CHECK(out.seconds > 10);
  CHECK(out.seconds < 10.1);
  CHECK(out.idle < 0.01);
}

TEST_CASE("model of ranks: the leader's store is the limit of short cells") {
  // 1e6 cells of 2 microseconds in the store, whatever the workers.
  const RanksOutcome out = simulate(RanksModel{.workers = 1000,
                                               .cells = 1'000'000,
                                               .cell_seconds = 1e-5,
                                               .message_seconds = 0,
                                               .store_seconds = 2e-6});
  CHECK(out.seconds > 2);
  CHECK(out.seconds < 2.2);
  CHECK(out.leader_busy > 0.9);
  CHECK(out.idle > 0.9);
}

TEST_CASE("model of ranks: 10 000 workers with cells of a tenth of a second keep busy") {
  const RanksOutcome out = simulate(RanksModel{.workers = 10'000,
                                               .cells = 3'000'000,
                                               .cell_seconds = 0.1,
                                               .spread = 0.5,
                                               .message_seconds = 20e-6});
  CHECK(out.leader_busy < 0.6);
  CHECK(out.seconds > 30);
  CHECK(out.idle < 0.1);
}
