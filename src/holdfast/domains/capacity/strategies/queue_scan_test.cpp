#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

using namespace holdfast;
using namespace holdfast::capacity;

TEST_CASE("clairvoyant: starts a job only where it is not killed") {
  // Machine 1 goes off at 50. The job of 60 s waits for machine 0, the one of 50 s ends just in time.
  Instance instance = testing::machines_of({{0, 2}, {50, 1}}, 200);
  testing::add_job(instance, 0, 4, 40);
  testing::add_job(instance, 0, 4, 60);
  testing::add_job(instance, 0, 4, 50);
  CHECK(testing::text_of(testing::run_of(instance, "clairvoyant")) ==
        "0@0:0-40 2@1:0-50 1@0:40-100 ");
  // First fit loses it.
  CHECK(testing::text_of(testing::run_of(instance, "first-fit-aware")) ==
        "0@0:0-40 1@1:0-50x 2@0:40-90 1@0:90-150 ");
}

TEST_CASE("clairvoyant: a job may go on at the end of the window, and a machine comes back") {
  Instance instance = testing::machines_of({{0, 1}, {10, 0}, {20, 1}}, 100);
  testing::add_job(instance, 0, 4, 30);
  testing::add_job(instance, 5, 2, 500);
  CHECK(testing::text_of(testing::run_of(instance, "clairvoyant")) == "0@0:20-50 1@0:50-100 ");
}

TEST_CASE("clairvoyant: kills nothing, 300 random instances") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Stream stream({.seed = seed});
    std::vector<Step> alive;
    for (std::int64_t time = 0; time < 200; time += stream.integer(1, 30))
      alive.push_back({time, stream.integer(1, 4)});
    Instance instance = testing::machines_of(std::move(alive), 200);
    for (int i = 0; i < 30; ++i)
      testing::add_job(instance, stream.integer(0, 199), stream.integer(1, 4),
                       stream.integer(1, 60), stream.uniform());
    CAPTURE(seed);
    CHECK(testing::run_of(instance, "clairvoyant").metrics.kills == 0);
  }
}

TEST_CASE("easy: a later job overtakes only where the first is not put off") {
  Instance instance = testing::machines_of({{0, 1}}, 200);
  testing::add_job(instance, 0, 3, 50);  // leaves one core until 50
  testing::add_job(instance, 1, 4, 10);  // waits for 50
  testing::add_job(instance, 2, 1, 60);  // would put it off
  testing::add_job(instance, 3, 1, 47);  // ends at 50
  CHECK(testing::text_of(testing::run_of(instance, "easy")) ==
        "0@0:0-50 3@0:3-50 1@0:50-60 2@0:60-120 ");
  CHECK(testing::text_of(testing::run_of(instance, "first-fit-aware")) ==
        "0@0:0-50 2@0:2-62 3@0:50-97 1@0:97-107 ");
}

TEST_CASE("easy: cores that the first job leaves may be taken for longer, once") {
  Instance instance = testing::machines_of({{0, 1}}, 400);
  testing::add_job(instance, 0, 2, 50);   // leaves two cores until 50
  testing::add_job(instance, 1, 3, 10);   // waits for 50, and then leaves one
  testing::add_job(instance, 2, 1, 100);  // takes that one
  testing::add_job(instance, 3, 1, 100);  // there is no other
  CHECK(testing::text_of(testing::run_of(instance, "easy")) ==
        "0@0:0-50 2@0:2-102 1@0:50-60 3@0:60-160 ");
}
