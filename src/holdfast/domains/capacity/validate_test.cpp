#include "holdfast/domains/capacity/validate.hpp"

#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <span>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

namespace {

// Two machines of 4 cores, of which the second goes off at 10; a job of 3 cores and 20 s, one of 4 cores and 5 s, and one of 4
// cores and 8 s that is killed at 10 and runs again.
testing::Run sound(Instance& instance) {
  instance = testing::machines_of({{0, 2}, {10, 1}}, 30);
  testing::add_job(instance, 0, 3, 20);
  testing::add_job(instance, 0, 4, 5);
  testing::add_job(instance, 6, 4, 8);
  return testing::run_of(instance, "first-fit-aware");
}

/// A way to spoil a run, and what the validator says of it.
struct Spoilt {
  const char* why;
  std::function<void(testing::Run&)> spoil;
  const char* message;
};

void check_spoilt(const Instance& instance, const testing::Run& run, std::span<const Spoilt> rows) {
  const std::vector<std::int64_t> all_ranks = {0, 1};
  const auto ranks = std::span(all_ranks).first(static_cast<std::size_t>(instance.machines));
  for (const Spoilt& row : rows) {
    CAPTURE(row.why);
    testing::Run spoilt = run;
    row.spoil(spoilt);
    const Status valid = validate(instance, spoilt.tasks, spoilt.metrics, spoilt.log, ranks);
    REQUIRE_FALSE(valid.has_value());
    CHECK(valid.error().text().starts_with(row.message));
  }
}

}  // namespace

TEST_CASE("validate: a sound run, and every way to spoil it") {
  Instance instance;
  const testing::Run run = sound(instance);
  CHECK(testing::text_of(run) == "0@0:0-20 1@1:0-5 2@1:6-10x 2@0:20-28 ");
  const Spoilt rows[] = {
      {"two jobs on the cores of one", [](auto& r) { r.log[0].machine = 0, r.log[2].start = 0; },
       "machine 0 at"},
      {"a machine that is off", [](auto& r) { r.log.back().machine = 1; },
       "job 2: starts at 20 on machine 1, which is off"},
      {"a run across the end of its machine",
       [](auto& r) { r.log[1].end = 12, r.log[1].outcome = Execution::Outcome::running; },
       "job 2: runs on machine 1, which goes off at 10"},
      {"a kill on a machine that stays", [](auto& r) { r.log[1].end = 8; },
       "job 2: is killed at 8, but machine 1 stays on"},
      {"a start before the release", [](auto& r) { r.log[1].start = 5; },
       "job 2: starts at 5, before 6"},
      {"a run that is too short", [](auto& r) { r.log.back().end = 27; }, "job 2: runs 7 s of 8"},
      {"a stop without an end", [](auto& r) { r.log.back().outcome = Execution::Outcome::running; },
       "job 2: stops at 28 without an end"},
      {"a job that is lost", [](auto& r) { r.log.pop_back(); }, "accounts: "},
      {"work that is not in the accounts", [](auto& r) { --r.metrics.useful; },
       "accounts: useful core-seconds: found 111, expected 112 by the schedule"},
      {"a waiting job that does not exist", [](auto& r) { ++r.metrics.waiting; },
       "accounts: waiting and dropped jobs: found 1, expected 0 by the schedule"},
      {"capacity that does not exist", [](auto& r) { ++r.metrics.capacity; },
       "accounts: core-seconds of capacity: found 161, expected 160 by the schedule"},
      {"a stretch too small", [](auto& r) { r.metrics.largest_stretch = 1; },
       "accounts: stretch: found 1, expected "},
  };
  check_spoilt(instance, run, rows);
}

TEST_CASE("validate: saved runs, and every way to spoil them") {
  // With 6 s of notice, a run saves itself in 4 s: of its 20 s, 6 are done at 10.
  Instance instance = testing::machines_of({{0, 1}, {10, 0}, {20, 1}}, 50);
  instance.notice = 6;
  instance.checkpoint = 4;
  testing::add_job(instance, 0, 2, 20);
  const testing::Run run = testing::run_of(instance, "first-fit-aware");
  CHECK(testing::text_of(run) == "0@0:0-10s 0@0:20-34 ");
  const Spoilt rows[] = {
      {"killed, though it could be saved",
       [](auto& r) { r.log[0].outcome = Execution::Outcome::killed, r.log[1].end = 40; },
       "job 0: is killed at 10, and could be saved"},
      {"saved before it did anything", [](auto& r) { r.log[0].start = 6; },
       "job 0: is saved at 10, which takes longer"},
      {"saved on a machine that stays", [](auto& r) { r.log[0].end = 9; },
       "job 0: is saved at 9, but machine 0 stays on"},
      {"all of it again", [](auto& r) { r.log[1].end = 40; }, "job 0: runs 20 s of 14"},
      {"saving that is not in the accounts", [](auto& r) { --*r.metrics.saving; },
       "accounts: core-seconds of saving: found 7, expected 8 by the schedule"},
      {"a saved run that does not exist", [](auto& r) { ++*r.metrics.saves; },
       "accounts: saves: found 2, expected 1 by the schedule"},
  };
  check_spoilt(instance, run, rows);
}
