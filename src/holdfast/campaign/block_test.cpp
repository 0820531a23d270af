#include "holdfast/campaign/block.hpp"

#include "holdfast/campaign/batch.hpp"
#include "holdfast/campaign/cell.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace holdfast;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::uint32_t> kPoints = {3, 1, 70000};
const std::vector<std::uint32_t> kStrategies = {2, 1};
constexpr BlockLimits kLimits = {.points = 70000, .strategies = 2};

std::string bytes_of(const Batch& batch, std::size_t metrics) {
  return block_bytes(batch, 0, batch.size(), metrics, kPoints, kStrategies);
}

std::vector<std::optional<std::size_t>> columns(std::size_t metrics) {
  std::vector<std::optional<std::size_t>> out;
  for (std::size_t m = 0; m < metrics; ++m) out.emplace_back(m);
  out.emplace_back();  // no wall times
  return out;
}

/// A batch of that many cells with three metrics: whole numbers, any numbers, and none.
Batch some_cells(std::size_t cells) {
  Batch out;
  for (std::size_t i = 0; i < cells; ++i) {
    out.keys.push_back({static_cast<std::uint32_t>(i % 3), static_cast<std::uint32_t>(i % 2), i / 6,
                        std::uint64_t{1} << (i % 40)});
    out.flags.push_back(i % 5 == 0 ? CellFlags::kPresent : CellFlags::kDone);
    out.seconds.push_back(1e-6 * static_cast<double>(i));
    const double number = 300.0 * static_cast<double>(i);
    out.values.insert(out.values.end(), {number, i % 4 == 0 ? kNone : -number / 7, kNone});
  }
  return out;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

TEST_CASE("block: cells are read as they were written") {
  for (const std::size_t cells :
       {std::size_t{1}, std::size_t{2}, std::size_t{257}, std::size_t{5000}}) {
    CAPTURE(cells);
    const Batch batch = some_cells(cells);
    const std::string bytes = bytes_of(batch, 3);
    Block block;
    block.metrics.resize(3);
    REQUIRE(parse_block(bytes, cells, kLimits, columns(3), block) == "");
    REQUIRE(block.size() == cells);
    for (std::size_t i = 0; i < cells; ++i) {
      CHECK(block.points[i] == kPoints[batch.keys[i].point]);
      CHECK(block.strategies[i] == kStrategies[batch.keys[i].strategy]);
      CHECK(block.instances[i] == batch.keys[i].instance);
      CHECK(block.scenarios[i] == batch.keys[i].scenario);
      CHECK(block.flags[i] == batch.flags[i]);
      for (std::size_t m = 0; m < 3; ++m) CHECK(same(block.metrics[m][i], batch.values[3 * i + m]));
    }
    // One metric of three, and the wall times.
    Block one;
    one.metrics.resize(2);
    const std::vector<std::optional<std::size_t>> some = {{}, 0, {}, 1};
    REQUIRE(parse_block(bytes, cells, kLimits, some, one) == "");
    CHECK(same(one.metrics[0].back(), batch.values[3 * cells - 2]));
    CHECK(one.metrics[1] == batch.seconds);
  }
}

TEST_CASE("block: numbers take the bytes that they need") {
  Batch batch;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    batch.keys.push_back({0, static_cast<std::uint32_t>(i % 2), 0, 1'000'000 + i / 2});
    batch.flags.push_back(CellFlags::kDone);
    batch.seconds.push_back(0);
    batch.values.push_back(static_cast<double>(i % 7));
  }
  // Strategies 1 byte, scenarios 2, the metric 1; points, instances, flags and seconds are the same.
  CHECK(bytes_of(batch, 1).size() == 4 * 1000 + 6 * 2 + 4);
}

TEST_CASE("block: every cut and many changed bytes are refused or are other cells of the file") {
  const Batch batch = some_cells(200);
  const std::string whole = bytes_of(batch, 3);
  Block block;
  block.metrics.resize(3);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(parse_block(whole.substr(0, size), 200, kLimits, columns(3), block) != "");
  }
  CHECK(parse_block(whole + '\0', 200, kLimits, columns(3), block) != "");
  CHECK(parse_block(whole, 199, kLimits, columns(3), block) != "");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    if (parse_block(damaged, 200, kLimits, columns(3), block) != "") continue;
    for (std::size_t i = 0; i < block.size(); ++i) {
      REQUIRE((block.points[i] >= 1 && block.points[i] <= kLimits.points));
      REQUIRE((block.strategies[i] >= 1 && block.strategies[i] <= kLimits.strategies));
      REQUIRE((block.flags[i] & CellFlags::kPresent) != 0);
      for (const auto& column : block.metrics) REQUIRE_FALSE(std::isinf(column[i]));
    }
  }
}

TEST_CASE("block: few bytes do not make many cells") {
  Batch batch = some_cells(1);
  const std::string bytes = bytes_of(batch, 0);
  Block block;
  CHECK(parse_block(bytes, kMostBlockCells, kLimits, {}, block) ==
        "found the same cell more than once");
}
