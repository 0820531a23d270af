// Jobs that are saved while they run, so that an error costs only what was done since the last save.
#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace holdfast::moldable {
namespace {

constexpr const char* kOfSaved[] = {
    "lpa",     "lpa-ratio:priority=la", "min-time", "min-area", "batch", "batch-fit",
    "rolling", "rolling:cap=0"};

Instance random_saved(Stream& random) {
  Instance out =
      random_instance(random, {.jobs = random.integer(1, 12), .processors = random.integer(1, 20)});
  out.error_model = ErrorModel::fail_stop;
  out.error_rate = std::pow(10.0, random.uniform(-4.5, -2.5));
  out.checkpoint = random.uniform(0.1, 20);
  out.recovery = random.chance(0.5) ? random.uniform(0, 20) : 0;
  if (random.chance(0.3)) {
    for (std::size_t job = 0; job < out.size(); ++job)
      out.releases.push_back(random.uniform(0, 900));
  }
  return out;
}

void check_saved_problems(std::uint64_t count) {
  int longer = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 6});
    const Instance instance = random_saved(random);
    REQUIRE(check(instance).has_value());
    for (const char* text : kOfSaved) {
      CAPTURE(text);
      if (!instance.releases.empty() && std::string(text).starts_with("batch")) continue;
      const Run one = run(instance, text, {.purpose = Purpose::failures, .scenario = k});
      REQUIRE(one.attempts.size() == instance.size());
      REQUIRE(one.metrics.makespan >= one.metrics.lower_bound * (1 - 1e-12));
      REQUIRE(one.metrics.makespan <= one.metrics.guarantee * (1 + 1e-12));
      longer += one.metrics.makespan > 2 * one.metrics.lower_bound ? 1 : 0;
    }
  }
  CHECK(longer > static_cast<int>(count) / 4);
}

}  // namespace

TEST_CASE("saves: every strategy obeys the model, 200 random problems") {
  check_saved_problems(200);
}

TEST_CASE("saves: every strategy obeys the model, 10 000 random problems" *
          doctest::test_suite("thorough")) {
  check_saved_problems(10'000);
}

TEST_CASE("saves: the mean makespan of one job is the closed form") {
  // 12 s on 1 processor, 3.75 s on 4; parts of sqrt(2 0.1 / (0.08 4)) = 0.79 s: 5 of them.
  Instance instance;
  instance.processors = 4;
  instance.jobs = {Speedup::amdahl_of_parts(11, 1)};
  instance.given = {{4}};
  instance.error_rate = 0.08;
  instance.error_model = ErrorModel::fail_stop;
  instance.checkpoint = 0.1;
  instance.recovery = 0.25;
  REQUIRE(check(instance).has_value());
  REQUIRE(parts_of(instance.errors(), 4, 3.75) == 5);
  const double m = 0.08 * 4;
  const double expected =
      std::exp(m * 0.25) / m * (4 * std::expm1(m * (0.75 + 0.1)) + std::expm1(m * 0.75));
  CHECK(3.75 * expected_stretch(instance.errors(), 15, 4) ==
        doctest::Approx(expected).epsilon(1e-12));
  const auto [mean, error] = mean_makespan(instance, "as-given", 20'000);
  CHECK(std::fabs(mean - expected) < 4 * error);
  CHECK(error < 0.01 * expected);
}

TEST_CASE("saves: strategies take about the processors that make the expected time least") {
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 7});
    const Instance instance = random_saved(random);
    for (const Speedup& job : instance.jobs) {
      const auto time = [&](std::int64_t p) {
        return job.time(p) *
               expected_stretch(instance.errors(), job.area(p), static_cast<double>(p));
      };
      double least = time(1);
      for (std::int64_t p = 2; p <= job.limit(instance.processors); ++p) {
        least = std::min(least, time(p));
      }
      const std::int64_t found = fastest_with_errors(job, instance.processors, instance.errors());
      REQUIRE(time(found) <= 1.1 * least);
    }
  }
}

TEST_CASE("saves: errors that never strike leave only the saves, and rare ones nothing") {
  Instance instance;
  instance.processors = 1;
  instance.jobs = {Speedup::roofline(100, 1)};
  instance.error_model = ErrorModel::fail_stop;
  instance.error_rate = 0.005;
  instance.checkpoint = 1;  // parts of sqrt(2 / 0.005) = 20 s
  instance.recovery = 2;
  instance.strikes = {{}};
  CHECK(run(instance, "lpa").metrics.makespan == 104);
  // The 1st error strikes 10 s after the 2nd save, the 2nd during the recovery, the 3rd 1 s after the end of that part's save.
  instance.strikes = {{52, 1, 24}};
  CHECK(run(instance, "lpa").metrics.makespan == 52 + 1 + (2 + 20 + 1) + 1 + (2 + 20 + 1) + 20);
  instance.error_rate = 1e-30;
  instance.strikes.clear();
  CHECK(run(instance, "lpa").metrics.makespan == 100);
  instance.error_model = ErrorModel::area;
  CHECK(check(instance).error().where == "/checkpoint");
  instance.error_model = ErrorModel::fail_stop;
  instance.checkpoint = 0;
  CHECK(check(instance).error().where == "/recovery");
}

}  // namespace holdfast::moldable
