#include "holdfast/domains/capacity/strategies.hpp"

#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;
using namespace holdfast::capacity;
using testing::add_job;
using testing::machines_of;
using testing::run_of;
using testing::text_of;

TEST_CASE("every strategy has a name, a summary and a source, and runs without any jobs") {
  Instance empty = machines_of({{0, 2}}, 10);
  empty.notice = 1;  // some strategies need announcements, and one a price
  empty.price = {{0, 1.0}};
  for (const StrategyEntry& entry : strategies()) {
    CAPTURE(entry.name);
    CHECK_FALSE(entry.summary.empty());
    CHECK_FALSE(entry.source.empty());
    if (entry.name != "as-given") CHECK(run_of(empty, entry.name).log.empty());
  }
}

TEST_CASE(
    "first fit: a small job overtakes one that waits; a job that ends with its machine is done") {
  Instance instance = machines_of({{0, 1}, {10, 0}, {20, 1}}, 40);
  add_job(instance, 0, 3, 10);  // ends at the instant the machine goes off
  add_job(instance, 1, 2, 5);   // does not fit, waits until 20
  add_job(instance, 2, 1, 4);
  CHECK(text_of(run_of(instance, "first-fit-aware")) == "0@0:0-10 2@0:2-6 1@0:20-25 ");
}

TEST_CASE("author: an arriving job must leave a core free on the machine, a waiting one need not") {
  Instance instance = machines_of({{0, 1}}, 40);
  add_job(instance, 0, 3, 10);
  add_job(instance, 1, 1, 5);  // exactly what is left
  CHECK(text_of(run_of(instance, "first-fit-aware")) == "0@0:0-10 1@0:1-6 ");
  instance.profile = Profile::author;
  CHECK(text_of(run_of(instance, "first-fit-aware")) == "0@0:0-10 1@0:10-15 ");
}

TEST_CASE("without a machine alive, everything waits, then runs") {
  Instance instance = machines_of({{0, 0}, {10, 2}}, 40);
  add_job(instance, 0, 4, 5);
  add_job(instance, 3, 4, 5);
  for (const Profile profile : {Profile::standard, Profile::author}) {
    instance.profile = profile;
    for (const char* strategy :
         {"first-fit-aware", "target-stretch", "target-asap", "packed-target-asap"}) {
      CAPTURE(strategy);
      CHECK(run_of(instance, strategy).metrics.completed == 2);
    }
  }
}

TEST_CASE("parameters: a distance of 0 keeps a job on its target") {
  Instance instance = machines_of({{0, 3}}, 60);
  instance.safe_machines = 3;
  for (int i = 0; i < 4; ++i) add_job(instance, i, 4, 10, 0.0);
  CHECK(text_of(run_of(instance, "target-asap:distance=0")) ==
        "0@0:0-10 1@0:10-20 2@0:20-30 3@0:30-40 ");
  // With one machine further allowed, the second job goes there at once.
  CHECK(text_of(run_of(instance, "target-asap:distance=1")).starts_with("0@0:0-10 1@1:1-11 "));
}

TEST_CASE("parameters: a distance or pack beyond all machines acts like one of all machines") {
  Instance instance = machines_of({{0, 3}, {12, 1}, {20, 3}}, 60);
  for (int i = 0; i < 8; ++i) add_job(instance, i, 1 + i % 4, 10, 0.1 * i);
  const std::string all = text_of(run_of(instance, "packed-target-asap:distance=3:pack=4"));
  CHECK(text_of(run_of(instance,
                       "packed-target-asap:distance=9000000000000000:"
                       "pack=9000000000000000")) == all);
}

TEST_CASE("as-given: starts the jobs that the instance lists, if that is possible") {
  Instance instance = machines_of({{0, 2}}, 40);
  add_job(instance, 0, 4, 5);
  add_job(instance, 0, 4, 5);
  instance.given = {{0, 1, 3}, {1, 1, 4}, {1, 1, 8}};  // 4 is too early: the machine is full
  CHECK(text_of(run_of(instance, "as-given")) == "0@1:3-8 1@1:8-13 ");
}
