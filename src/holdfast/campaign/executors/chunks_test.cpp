#include "holdfast/campaign/executors/chunks.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("chunks: one cell while its time is unknown, then by time, then by what is left") {
  ChunkRule rule(4);
  CHECK(rule.cells(1'000'000) == 1);
  rule.learn(100, 0.1);
  CHECK(rule.cell_seconds() == doctest::Approx(1e-3));
  CHECK(rule.cells(1'000'000) == 20);  // 20 ms of cells of 1 ms
  CHECK(rule.cells(160) == 10);        // a quarter of each worker's share
  CHECK(rule.cells(3) == 1);
  CHECK(rule.cells(0) == 1);
}

TEST_CASE("chunks: long cells one by one, empty ones by the ten thousand") {
  ChunkRule slow(2);
  slow.learn(10, 100);
  CHECK(slow.cells(1'000'000) == 1);
  ChunkRule empty(2);
  empty.learn(1000, 0);
  CHECK(empty.cells(100'000'000) == 20'000);  // no cell counts for less than a microsecond
}

TEST_CASE("chunks: with many workers longer, so that the process that hands them out keeps up") {
  // 10 000 workers, 20 microseconds a message, a quarter of the time: one chunk per 0.8 s and worker.
  CHECK(ChunkRule(10'000).chunk_seconds() == doctest::Approx(0.8));
  CHECK(ChunkRule(2).chunk_seconds() == 0.02);
}

TEST_CASE("chunks: what was measured long ago is forgotten") {
  ChunkRule rule(1);
  rule.learn(10'000, 10);
  rule.learn(100'000, 1000);
  CHECK(rule.cell_seconds() == doctest::Approx(0.01).epsilon(0.001));
}
