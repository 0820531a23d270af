#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

using namespace holdfast;

TEST_CASE("stream: the known answers of Random123 for Philox 4x64 with 10 rounds") {
  // kat_vectors: counter and key all zero, then all ones.
  Stream zero({.seed = 0, .purpose = Purpose{0}});
  CHECK(zero.bits() == 0x16554d9eca36314c);
  CHECK(zero.bits() == 0xdb20fe9d672d0fdc);
  CHECK(zero.bits() == 0xd7e772cee186176b);
  CHECK(zero.bits() == 0x7e68b68aec7ba23b);

  const std::uint64_t ones = std::numeric_limits<std::uint64_t>::max();
  Stream full(
      {.seed = ones, .purpose = Purpose{ones}, .instance = ones, .scenario = ones, .entity = ones});
  full.seek(ones);
  CHECK(full.bits() == 0x87b092c3013fe90b);
  CHECK(full.bits() == 0x438c3c67be8d0224);
  CHECK(full.bits() == 0x9cc7d7c69cd777b6);
  CHECK(full.bits() == 0xa09caebf594f0ba0);
}

TEST_CASE("stream: every part of the key matters") {
  const StreamKey base{
      .seed = 7, .purpose = Purpose::failures, .instance = 1, .scenario = 2, .entity = 3};
  std::vector<StreamKey> keys(6, base);
  keys[1].seed = 8;
  keys[2].purpose = Purpose::instance;
  keys[3].instance = 2;
  keys[4].scenario = 1;
  keys[5].entity = 4;
  std::set<std::uint64_t> firsts;
  for (const StreamKey& key : keys) firsts.insert(Stream(key).bits());
  CHECK(firsts.size() == keys.size());
}

TEST_CASE("stream: seek reaches any block directly") {
  const StreamKey key{.seed = 1, .purpose = Purpose::tool};
  Stream in_order(key);
  std::array<std::uint64_t, 40> expected{};
  for (auto& bits : expected) bits = in_order.bits();
  Stream jumping(key);
  for (const std::size_t block : {9u, 0u, 4u, 4u}) {
    jumping.seek(block);
    for (std::size_t i = 0; i < 4; ++i) CHECK(jumping.bits() == expected[4 * block + i]);
  }
}

TEST_CASE("stream: pinned uniform numbers") {
  Stream stream(
      {.seed = 1, .purpose = Purpose::failures, .instance = 0, .scenario = 5, .entity = 42});
  CHECK(stream.uniform() == 0.75195495865657158);
  CHECK(stream.uniform() == 0.69389224114020831);
  CHECK(stream.uniform(10, 20) == 13.971991986479745);
  CHECK(stream.integer(1, 6) == 1);
  CHECK(stream.integer(-1'000'000'000'000, 1'000'000'000'000) == -94'234'856'948);
}

TEST_CASE("stream: uniform numbers are never 0 and never 1") {
  // The extreme words: all bits 0 and all bits 1.
  CHECK((static_cast<double>(std::uint64_t{0}) + 0.5) * 0x1p-52 > 0.0);
  const std::uint64_t ones = std::numeric_limits<std::uint64_t>::max();
  CHECK((static_cast<double>(ones >> 12) + 0.5) * 0x1p-52 < 1.0);
}

TEST_CASE("stream: integers are fair over a range that does not divide 2^64") {
  Stream stream({.seed = 3, .purpose = Purpose::tool});
  std::array<int, 6> seen{};
  for (int i = 0; i < 60'000; ++i) {
    const auto value = stream.integer(1, 6);
    REQUIRE(value >= 1);
    REQUIRE(value <= 6);
    ++seen[static_cast<std::size_t>(value - 1)];
  }
  double chi_square = 0;
  for (const int count : seen) chi_square += (count - 1e4) * (count - 1e4) / 1e4;
  CHECK(chi_square < 20.5);  // 0.1 % of the law with 5 degrees of freedom lies beyond
  CHECK(stream.integer(4, 4) == 4);
  const std::int64_t low = std::numeric_limits<std::int64_t>::min();
  const std::int64_t high = std::numeric_limits<std::int64_t>::max();
  CHECK(stream.integer(low, high) != stream.integer(low, high));
}
