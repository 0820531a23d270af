// Errors that depend on the processors of an attempt.
#include "holdfast/domains/taskgraph/point.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies.hpp"
#include "holdfast/domains/taskgraph/testing.hpp"
#include "holdfast/domains/taskgraph/validate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::taskgraph {
namespace {

using testing::kModels;
using testing::random_failures;
using testing::random_instance;

constexpr const char* kStrategies[] = {"capped-lpa",   "capped-lpa:priority=bottom-level",
                                       "wide-lpa",     "wide-lpa:priority=lpt",
                                       "min-time",     "min-area",
                                       "fraction:0.3", "fraction:0.1:priority=hpa",
                                       "ect"};

// Runs a strategy; the schedule must pass the validator.
Metrics run(const Instance& instance, std::string_view text, const Draw& draw) {
  const auto spec = parse_strategy(text, strategies());
  REQUIRE(spec.has_value());
  const auto made = make_strategy(*spec, instance);
  REQUIRE(made.has_value());
  const Strategy& strategy = **made;
  CHECK((!instance.fails_by_processors() || !strategy.proven_ratio()));
  const auto strikes = strikes_of(instance, draw);
  const auto failures = failures_of(instance, draw);
  Schedule schedule;
  const Plan plan = make_plan(instance, strategy);
  const Metrics out =
      simulate(instance, strategy, plan, failures, &schedule, strikes ? &*strikes : nullptr);
  const bool may_idle = strategy.discipline() == Discipline::place;
  const Status valid =
      validate(instance, failures, schedule, may_idle ? Idling::allowed : Idling::forbidden,
               strikes ? &*strikes : nullptr);
  if (!valid) FAIL(valid.error().text());
  return out;
}

void check_random_problems(std::uint64_t count) {
  for (const ErrorModel error_model : {ErrorModel::area, ErrorModel::fail_stop}) {
    std::int64_t failed = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      CAPTURE(k);
      Stream random({.instance = k});
      Instance instance = random_instance(random, kModels[k % 4], 30, 40);
      instance.error_model = error_model;
      instance.error_rate = std::pow(10.0, random.uniform(-3.5, -1.5));
      REQUIRE(check(instance).has_value());
      for (const char* text : kStrategies) {
        CAPTURE(text);
        const Metrics found = run(instance, text, {.seed = 1, .scenario = k});
        REQUIRE(found.makespan >= found.lower_bound * (1 - 1e-12));
        failed += found.attempts - static_cast<std::int64_t>(instance.size());
      }
    }
    CHECK(failed > static_cast<std::int64_t>(count));
  }
}

void check_saved_graphs(std::uint64_t count) {
  int longer = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 6});
    Instance instance = random_instance(random, kModels[k % 4], 30, 40);
    instance.error_model = ErrorModel::fail_stop;
    instance.error_rate = std::pow(10.0, random.uniform(-3.5, -1.5));
    instance.checkpoint = random.uniform(0.1, 1);
    instance.recovery = random.chance(0.5) ? random.uniform(0, 1) : 0;
    REQUIRE(check(instance).has_value());
    for (const char* text : kStrategies) {
      CAPTURE(text);
      if (std::string_view(text) == "ect") continue;  // it must know when a task ends
      const Metrics found = run(instance, text, {.seed = 1, .scenario = k});
      REQUIRE(found.makespan >= found.lower_bound * (1 - 1e-12));
      REQUIRE(found.attempts == static_cast<std::int64_t>(instance.size()));
      longer += found.makespan > 1.5 * found.lower_bound ? 1 : 0;
    }
    REQUIRE(!make_strategy(parse_strategy("ect", strategies()).value(), instance).has_value());
  }
  CHECK(longer > static_cast<int>(count) / 4);
}

}  // namespace

TEST_CASE("error models: tasks that are saved run once, 200 random graphs") {
  check_saved_graphs(200);
}

TEST_CASE("error models: tasks that are saved run once, 10 000 random graphs" *
          doctest::test_suite("thorough")) {
  check_saved_graphs(10'000);
}

TEST_CASE("error models: every schedule obeys the model, 200 random graphs of each") {
  check_random_problems(200);
}

TEST_CASE("error models: every schedule obeys the model, 10 000 random graphs of each" *
          doctest::test_suite("thorough")) {
  check_random_problems(10'000);
}

TEST_CASE("error models: errors that hit any attempt are failures that were counted") {
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance counted = random_instance(random, kModels[k % 4], 30, 40);
    for (Speedup& task : counted.tasks) {
      if (!(task.sequential_time() > 0)) task = Speedup::roofline(1, 2);
    }
    counted.failures = random_failures(random, counted.size());
    Instance struck = counted;
    struck.error_model = ErrorModel::area;
    struck.failures.clear();
    for (const std::int64_t failures : counted.failures) {
      struck.strikes.emplace_back(static_cast<std::size_t>(failures), 1e-9);
    }
    for (const char* text : kStrategies) {
      CAPTURE(text);
      const Metrics one = run(counted, text, {}), other = run(struck, text, {});
      REQUIRE(one.makespan == other.makespan);
      REQUIRE(one.attempts == other.attempts);
      REQUIRE(other.lower_bound == doctest::Approx(one.lower_bound).epsilon(1e-12));
    }
  }
}

TEST_CASE("error models: without errors all of them are the same") {
  for (std::uint64_t k = 0; k < 100; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance instance = random_instance(random, kModels[k % 4], 30, 40);
    for (const char* text : kStrategies) {
      CAPTURE(text);
      instance.error_model = ErrorModel::work;
      const Metrics work = run(instance, text, {});
      instance.error_model = k % 2 == 0 ? ErrorModel::area : ErrorModel::fail_stop;
      const Metrics other = run(instance, text, {});
      REQUIRE(work.makespan == other.makespan);
      REQUIRE(work.lower_bound == other.lower_bound);
    }
  }
}

}  // namespace holdfast::taskgraph
