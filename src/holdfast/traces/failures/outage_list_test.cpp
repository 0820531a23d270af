#include "holdfast/traces/failures/outage_list.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace holdfast {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Times that are written in every form: whole, parts of seconds, backwards, beyond exact numbers, endless.
const std::vector<OutageRow> kOdd = {
    {{1577836800, 1577840400, 3, 0}, 7},
    {{1577836800, kInfinity, Outage::kNoNode, 2}, 0xFFFF},
    {{1577836790.25, 1577836790.5, 1u << 31, 2}, 0},
    {{-5, 12.75, 0, 0}, 1},
    {{1e300, 1e300, 127, 1u << 20}, 2},
    {{-4503599627370495, 4503599627370495, 128, 0}, 3},
    {{0.1, kInfinity, 16384, 0}, 4},
};

bool are_equal(const OutageRow& a, const OutageRow& b) {
  return a.down == b.down && a.up == b.up && a.node == b.node && a.system == b.system &&
         a.line == b.line;
}

TEST_CASE("outage list: what was packed comes back, over many chunks") {
  constexpr std::size_t kTimes = 30000;  // several chunks of 1 MiB
  PackedOutages<OutageRow> list;
  for (std::size_t i = 0; i < kTimes; ++i) {
    for (const OutageRow& row : kOdd) list.push_back(row);
  }
  REQUIRE(list.size() == kTimes * kOdd.size());
  const PackedOutages<OutageRow> copy = list;
  std::size_t place = 0;
  bool is_same = true;
  for (const OutageRow& row : copy)
    is_same = is_same && are_equal(row, kOdd[place++ % kOdd.size()]);
  CHECK(is_same);
  CHECK(place == list.size());
  CHECK(are_equal(copy.at(list.size() - 1), kOdd.back()));

  list.update([](OutageRow& row) {
    row.up = row.down;
    return row.node != 3;
  });
  CHECK(list.size() == kTimes * (kOdd.size() - 1));
  place = 0;
  list.drain([&](const OutageRow& row) {
    if (place < kOdd.size() - 1) CHECK(row.down == kOdd[place + 1].down);
    is_same = is_same && row.up == row.down;
    ++place;
  });
  CHECK(is_same);
  CHECK(list.empty());
  CHECK(list.begin() == list.end());
}

}  // namespace
}  // namespace holdfast
