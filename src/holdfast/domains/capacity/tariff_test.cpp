#include "holdfast/domains/capacity/tariff.hpp"

#include "holdfast/domains/capacity/instance_io.hpp"
#include "holdfast/domains/capacity/point.hpp"
#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <array>

namespace holdfast::capacity {
namespace {

using testing::add_job;
using testing::machines_of;
using testing::run_of;

constexpr std::int64_t kTwoHours = 7200;

// Two machines for two hours; the second hour is ten times as dear.
Instance dear_second_hour() {
  Instance out = machines_of({{0, 2}}, kTwoHours);
  out.price = {{0, 1.0}, {3600, 10.0}};
  return out;
}

TEST_CASE("what a machine costs is the integral of the rate") {
  const std::array<Rate, 3> rates = {{{100, 2.0}, {3700, 4.0}, {7300, -1.0}}};
  CHECK(rate_at(rates, 0) == 2.0);
  CHECK(rate_at(rates, 3700) == 4.0);
  CHECK(cost_of(rates, 0, 3700) == doctest::Approx(2.0 * 3700 / 3600).epsilon(1e-12));
  CHECK(cost_of(rates, 1900, 5500) == doctest::Approx(1.0 + 2.0).epsilon(1e-12));
  CHECK(cost_of(rates, 7300, 10900) == doctest::Approx(-1.0).epsilon(1e-12));
  CHECK(cost_of(rates, 50, 50) == 0.0);
}

TEST_CASE("two jobs on one machine make one busy machine-hour") {
  Instance instance = dear_second_hour();
  add_job(instance, 0, 1, 3600);
  add_job(instance, 0, 2, 1800);
  const auto run = run_of(instance, "first-fit-aware");
  const Bill bill = bill_of(instance, instance.price, run.log, run.metrics.useful);
  CHECK(bill.busy == doctest::Approx(1.0).epsilon(1e-12));
  CHECK(bill.busy + bill.idle == doctest::Approx(22.0).epsilon(1e-12));
  // 2 core-hours of useful work fit into half a machine-hour of the cheap hour.
  CHECK(bill.least == doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE("machine-hours that pay are part of the bound") {
  Instance instance = dear_second_hour();
  instance.price = {{0, 1.0}, {3600, -3.0}};
  add_job(instance, 0, 4, 3600);
  const auto run = run_of(instance, "first-fit-aware");
  CHECK(bill_of(instance, instance.price, run.log, run.metrics.useful).least ==
        doctest::Approx(-6.0).epsilon(1e-12));
}

TEST_CASE("a machine that boots is powered and not alive, and one that shuts down is paid for") {
  Instance instance = machines_of({{0, 1}, {1000, 2}, {1500, 1}, {3000, 2}}, 3600);
  instance.boot = 200;
  instance.shutdown = 100;
  instance.price = {{0, 1.0}};
  boot_machines(instance);
  CHECK(instance.alive_at(1199) == 1);
  CHECK(instance.alive_at(1200) == 2);
  CHECK(instance.alive_at(1500) == 1);
  CHECK(instance.alive_at(3199) == 1);
  CHECK(instance.alive_at(3200) == 2);
  add_job(instance, 0, 4, 3600);
  add_job(instance, 0, 4, 300);
  const auto run = run_of(instance, "first-fit-aware");
  CHECK(testing::text_of(run) == "0@0:0-3600 1@1:1200-1500 ");
  CHECK(run.metrics.capacity == 4 * (3600 + 500 + 600));
  const Bill bill = bill_of(instance, instance.price, run.log, run.metrics.useful);
  CHECK((bill.busy + bill.idle) * 3600 == doctest::Approx(3600 + 500 + 600 + 100).epsilon(1e-12));
  CHECK(bill.busy * 3600 == doctest::Approx(3600 + 300).epsilon(1e-12));
}

TEST_CASE("an up time that is shorter than a boot gives no machine") {
  Instance instance = machines_of({{0, 1}, {1000, 2}, {1100, 1}, {1150, 2}, {1400, 0}}, 3600);
  instance.boot = 200;
  boot_machines(instance);
  CHECK(instance.alive_at(1349) == 1);
  CHECK(instance.alive_at(1350) == 2);
  CHECK(instance.alive_at(1400) == 0);
}

TEST_CASE("under-price waits for the cheap hour, and lets runs go on into a dear one") {
  Instance instance = machines_of({{0, 1}}, 4 * 3600);
  instance.price = {{0, 9.0}, {3600, 2.0}, {7200, 9.0}, {10800, 2.0}};
  for (int i = 0; i < 3; ++i) add_job(instance, 0, 4, 2700);
  CHECK(testing::text_of(run_of(instance, "under-price:limit=2")) ==
        "0@0:3600-6300 1@0:6300-9000 2@0:10800-13500 ");
  CHECK(testing::text_of(run_of(instance, "under-price:limit=9")) ==
        "0@0:0-2700 1@0:2700-5400 2@0:5400-8100 ");
  CHECK(median_rate(instance.price, instance) == 2.0);
}

TEST_CASE("no strategy has cheaper busy machine-hours than the bound, on random problems") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Stream stream({.seed = seed, .purpose = Purpose::instance});
    std::vector<Step> alive = {{0, stream.integer(1, 4)}};
    Instance instance = machines_of(alive, 20000);
    for (std::int64_t at = stream.integer(1, 3000); at < 20000; at += stream.integer(1, 3000))
      alive.push_back({at, stream.integer(0, 4)});
    instance = machines_of(alive, 20000);
    for (std::int64_t at = 0; at < 20000; at += stream.integer(1, 4000))
      instance.price.push_back({at, static_cast<double>(stream.integer(-2, 9))});
    instance.boot = stream.integer(0, 1) * 300;
    instance.shutdown = stream.integer(0, 1) * 200;
    for (int job = 0; job < 20; ++job)
      add_job(instance, stream.integer(0, 9000), stream.integer(1, 4), stream.integer(1, 4000));
    boot_machines(instance);
    for (const char* strategy :
         {"first-fit-aware", "packed-target-asap", "easy", "under-price", "under-price:limit=-1"}) {
      auto run = run_of(instance, strategy, seed);
      run.metrics.money = bill_of(instance, instance.price, run.log, run.metrics.useful);
      CAPTURE(seed);
      CAPTURE(strategy);
      CHECK(run.metrics.money->busy >= run.metrics.money->least - 1e-9);
      const auto ranks = ranks_of(testing::maker_of(strategy, instance, seed), instance, run.tasks);
      CHECK(validate(instance, run.tasks, run.metrics, run.log, ranks).has_value());
      run.metrics.money->busy += 1e-3;
      CHECK_FALSE(validate(instance, run.tasks, run.metrics, run.log, ranks).has_value());
    }
  }
}

}  // namespace
}  // namespace holdfast::capacity
