#include "holdfast/domains/capacity/off_intervals.hpp"

#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

namespace {

constexpr std::int64_t kInOrder[] = {0, 1, 2};  // machine -> rank

}  // namespace

TEST_CASE("off intervals: steps of the number alive, machine by machine, inside the window") {
  struct Row {
    const char* why;
    std::vector<Step> alive;
    std::vector<OffInterval> off;
  };
  const Row rows[] = {
      {"all on: nothing", {{0, 3}}, {}},
      {"two go off at 10 and come back at 20",
       {{0, 3}, {10, 1}, {20, 3}},
       {{1, 10, 20}, {2, 10, 20}}},
      {"one after the other, and off until the window ends",
       {{0, 3}, {10, 2}, {15, 1}, {20, 2}},
       {{1, 15, 20}, {2, 10, 40}}},
      {"off from the start; a step that changes nothing ends nothing",
       {{0, 2}, {10, 2}, {20, 3}},
       {{2, 0, 20}}},
      {"steps at and beyond the end of the window do not count", {{0, 3}, {40, 0}, {50, 3}}, {}},
      {"all off", {{0, 3}, {39, 0}}, {{0, 39, 40}, {1, 39, 40}, {2, 39, 40}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    Instance instance = testing::machines_of(row.alive, 40);
    instance.machines = 3;
    CHECK(off_intervals(instance, kInOrder) == row.off);
  }
}

TEST_CASE("off intervals: a window that begins later starts with what is off by then") {
  Instance instance = testing::machines_of({{0, 3}, {10, 1}, {30, 3}}, 40);
  instance.begin = 20;
  const std::int64_t rank_of[] = {2, 0, 1};
  CHECK(off_intervals(instance, rank_of) == std::vector<OffInterval>{{0, 20, 30}, {2, 20, 30}});
}
