#include "holdfast/domains/volatile/admission.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

// Intervals that are completed before a departure at a random time, one after the other.
Moments drawn_work(double speed, double rate, double interval, double since, std::uint64_t seed) {
  Stream stream({.seed = seed, .purpose = Purpose::failures, .instance = 0, .scenario = 0});
  Moments out;
  for (int i = 0; i < 200'000; ++i) {
    const double departure = -elementary::log1p(-stream.uniform()) / rate;
    out.add(speed * interval * std::floor((departure + since) / interval));
  }
  return out;
}

Joining three_and_one() {
  return {.running = 3,
          .running_rate = 3 / 7200.0,
          .candidate_rate = 1 / 3600.0,
          .added = 1,
          .restart = 60,
          .interval = 600,
          .since_checkpoint = 240};
}

}  // namespace

TEST_CASE("admission: what checkpoints hold at the next departure is that of drawn departures") {
  const Joining joining = three_and_one();
  const Admission value = value_admission(joining);
  const Moments keep = drawn_work(3, joining.running_rate, 600, 240, 1);
  const Moments admit = drawn_work(4, joining.running_rate + joining.candidate_rate, 600, 0, 2);
  CHECK(std::abs(keep.mean() - value.keep.work) < 4 * keep.standard_error().value());
  CHECK(std::abs(admit.mean() - value.admit.work) < 4 * admit.standard_error().value());
  CHECK(value.keep.time == doctest::Approx(2400 + 60));
  CHECK(value.admit.time == doctest::Approx(60 + 1440 + 60));
}

TEST_CASE("admission: a machine that stays is worth a restart, one that leaves at once is not") {
  Joining joining = three_and_one();
  joining.running_rate = joining.candidate_rate = 1e-7;
  joining.since_checkpoint = 60;
  CHECK(when_to_admit(joining) == 0);
  joining.candidate_rate = 1;
  CHECK_FALSE(when_to_admit(joining));
  joining.candidate_rate = 1e-7;
  joining.added = 0.0001;  // it brings less than the restart takes
  CHECK_FALSE(when_to_admit(joining));
}

TEST_CASE("admission: a join that takes less than a restart is paid once, and may decide") {
  Joining joining = three_and_one();
  joining.join = 10;
  CHECK(value_admission(joining).admit.time == doctest::Approx(10 + 1440 + 60));
  CHECK(value_admission(joining).keep.time == doctest::Approx(2400 + 60));
  joining.running_rate = 3 / 3600.0;
  joining.added = 0.6;
  joining.since_checkpoint = 0;
  joining.restart = 150;
  joining.join = 20;
  CHECK(when_to_admit(joining) == 0);
  joining.join = {};
  CHECK_FALSE(when_to_admit(joining));
}

TEST_CASE("admission: right after a checkpoint the least is lost") {
  Joining joining = three_and_one();
  joining.running_rate = 3 / 7200.0;
  joining.candidate_rate = 1 / 72'000.0;
  joining.restart = 5;
  joining.interval = 1200;
  joining.since_checkpoint = 1100;
  REQUIRE(value_admission(joining).gain() < 0);
  CHECK(when_to_admit(joining) == doctest::Approx(100));
  joining.since_checkpoint = 0;
  CHECK(when_to_admit(joining) == 0);
  // Even where it is worth a restart now, the next checkpoint is worth waiting for, if it comes soon.
  joining.running_rate = joining.candidate_rate = 1e-6;
  for (const double since : {10.0, 1190.0}) {
    joining.since_checkpoint = since;
    REQUIRE(value_admission(joining).gain() > 0);
    CHECK(when_to_admit(joining) == doctest::Approx(since < 100 ? 0 : 10));
  }
}

TEST_CASE("admission: departures are counted, and a rate is drawn towards that of all") {
  const WorkerHistory history{.name = "a",
                              .intervals = {{0, 100, WorkerState::up},
                                            {100, 150, WorkerState::down},
                                            {150, 250, WorkerState::up},
                                            {250, 300, WorkerState::reclaimed},
                                            {300, 400, WorkerState::up}}};
  const Departures own = departures_of(history);
  CHECK(own.count == 2);
  CHECK(own.up == 300);
  const Departures all{.count = 10, .up = 10'000};
  CHECK(departure_rate({}, all) == doctest::Approx(1e-3));
  CHECK(departure_rate(own, all) == doctest::Approx(3.5 / 1800));
}
