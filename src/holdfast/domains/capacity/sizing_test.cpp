#include "holdfast/domains/capacity/sizing.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace holdfast::capacity;

TEST_CASE("machines are as wide as 95 % of the work needs") {
  // Work 60, 35 and 5 of 100.
  const std::vector<Job> jobs = {
      {"a", 0, 2, 30, {}}, {"b", 0, 7, 5, {}}, {"c", 0, 5, 1, {}}, {"d", 0, 100, 1, {}}};
  CHECK(cores_for(std::vector<Job>{jobs[0], jobs[1], jobs[2]}) == 7);
  CHECK(cores_for(std::vector<Job>{jobs[0]}) == 2);
  CHECK(cores_for(jobs) == 100);  // half of the work is d's
}

TEST_CASE("as many machines as the window's jobs keep busy") {
  const std::vector<Job> jobs = {{"before", 0, 4, 1000, {}},
                                 {"first", 100, 4, 50, {}},
                                 {"last", 199, 2, 100, {}},
                                 {"wide", 150, 5, 100, {}},
                                 {"after", 200, 4, 1000, {}}};
  CHECK(machines_for(jobs, 4, 100, 200) == (4 * 50 + 2 * 100) / 400.0);
}

TEST_CASE("the capacity varies by a third about its mean, by 4 at least, never below 0") {
  CHECK(range_for(24) == 8);
  CHECK(range_for(6) == 4);
  CHECK(range_for(2) == 2);
}
