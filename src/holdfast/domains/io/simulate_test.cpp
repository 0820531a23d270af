#include "holdfast/domains/io/simulate.hpp"

#include "holdfast/domains/io/examples.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/schedule.hpp"
#include "holdfast/domains/io/test_windows.hpp"
#include "holdfast/domains/io/validate.hpp"
#include "holdfast/domains/io/window.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace holdfast;
using namespace holdfast::io;

namespace {

Instance drawn_window() {
  return random_window(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::arbitrary<bool>());
}

// FairShare as a strategy that is asked at every event: the reference of the one in virtual time.
class PlainFairShare final : public Strategy {
 protected:
  void share(const Situation& situation, std::span<double> rates) override {
    double asked = 0;
    for (const Pending& request : situation.requests) asked += request.bandwidth;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = situation.requests[i].bandwidth * (situation.bandwidth / asked);
    }
  }
};

}  // namespace

TEST_CASE("io: FairShare in virtual time is FairShare event by event") {
  CHECK(rc::check([] {
    const Instance instance = drawn_window();
    const Load load = load_of(instance);
    PlainFairShare plain;
    const Run slow = simulate_asking(instance, load, plain, nullptr);
    const Run fast = run_of(instance, "fair-share");
    for (std::size_t i = 0; i < slow.yields.size(); ++i) {
      RC_ASSERT(std::abs(slow.yields[i] - fast.yields[i]) < 1e-9);
    }
  }));
}

TEST_CASE(
    "io: strategies in an order that is kept do what they do when they are asked at every event") {
  CHECK(rc::check([] {
    Instance instance = drawn_window();
    const bool have_ties = *rc::gen::arbitrary<bool>();
    for (Application& application : instance.applications) {
      application.release = instance.begin;  // one age: the order of yields is that of progress
      application.progress = 0;
      if (!have_ties) continue;
      application.bandwidth = instance.bandwidth * (application.nodes > 10 ? 0.3 : 0.1);
      application.phases = {{Phase::Kind::io, application.bandwidth}, {Phase::Kind::work, 0.7}};
    }
    const Load load = load_of(instance);
    for (const std::string_view name :
         {"fcfs", "greedy-yield", "greedy-com", "periodic-greedy-yield"}) {
      const auto entries = strategies();
      const auto spec = parse_strategy(name, entries).value();
      const auto one = make_strategy(spec, instance, load).value();
      const auto other = make_strategy(spec, instance, load).value();
      Timeline timeline{columns()};
      const Run asked = simulate_asking(instance, load, *one, nullptr);
      const Run kept = simulate_in_order(instance, load, *other, &timeline);
      const Status valid = validate(instance, timeline, kept.yields);
      if (!valid) RC_FAIL(std::string(name) + ": " + valid.error().text());
      for (std::size_t i = 0; i < asked.yields.size(); ++i) {
        if (std::abs(asked.yields[i] - kept.yields[i]) < 1e-9) continue;
        RC_FAIL(std::string(name));
      }
    }
  }));
}

TEST_CASE("io: every strategy on random windows obeys the model, and loses no byte") {
  CHECK(rc::check([] {
    const Instance instance = drawn_window();
    for (const std::string_view name : kSharing) {
      Timeline timeline{columns()};
      const Run run = run_of(instance, name, &timeline);
      const Status valid = validate(instance, timeline, run.yields);
      if (!valid) RC_FAIL(std::string(name) + ": " + valid.error().text());
      for (std::size_t i = 0; i < run.yields.size(); ++i) {
        RC_ASSERT(run.yields[i] >= 0 && run.yields[i] <= 1 + 1e-12);
        // Progress is work and transfers, nothing else.
        const double sum = run.work[i] + run.moved[i] / instance.applications[i].bandwidth;
        RC_ASSERT(std::abs(sum - run.progress[i]) <= 1e-9 * (1 + sum));
      }
      RC_ASSERT(run.metrics.utilization <= run.metrics.efficiency + 1e-12);
      RC_ASSERT(run.metrics.efficiency <= 1 + 1e-12);
    }
  }));
}

TEST_CASE("io: alone, an application never waits") {
  CHECK(rc::check([] {
    Instance instance = drawn_window();
    instance.applications.resize(1);
    instance.applications[0].progress = instance.begin - instance.applications[0].release;
    for (const std::string_view name : kSharing) {
      RC_ASSERT(std::abs(run_of(instance, name).metrics.minimum_yield - 1) < 1e-12);
    }
  }));
}

TEST_CASE("io: strategies that conserve work reach an efficiency of 1/m where nodes are equal") {
  CHECK(rc::check([] {
    Instance instance = drawn_window();
    for (Application& application : instance.applications) application.nodes = 3;
    const double bound = 1 / static_cast<double>(instance.applications.size());
    for (const std::string_view name : kSharing) {
      if (name == "best-next-event") continue;  // may leave bandwidth unused
      RC_ASSERT(run_of(instance, name).metrics.efficiency >= bound * (1 - 1e-12));
    }
  }));
}

TEST_CASE("io: FairShare gives each at least what an equal share would") {
  CHECK(rc::check([] {
    const Instance instance = random_window(*rc::gen::arbitrary<std::uint64_t>(), true);
    const Run run = run_of(instance, "fair-share");
    const double share = instance.length() / static_cast<double>(instance.applications.size());
    for (std::size_t i = 0; i < run.yields.size(); ++i) {
      const Application& a = instance.applications[i];
      RC_ASSERT(run.yields[i] * (instance.end - a.release) >= (a.progress + share) * (1 - 1e-12));
    }
  }));
}

TEST_CASE("io: a change of units changes nothing") {
  CHECK(rc::check([] {
    const Instance instance = drawn_window();
    Instance bytes = instance, clock = instance;
    bytes.bandwidth *= 1024;
    clock.begin *= 2;
    clock.end *= 2;
    for (std::size_t i = 0; i < instance.applications.size(); ++i) {
      bytes.applications[i].bandwidth *= 1024;
      clock.applications[i].release *= 2;
      clock.applications[i].progress *= 2;
      for (Phase& phase : bytes.applications[i].phases) {
        if (phase.kind == Phase::Kind::io) phase.amount *= 1024;
      }
      for (Phase& phase : clock.applications[i].phases) phase.amount *= 2;
    }
    for (const std::string_view name : kSharing) {
      if (name == "best-next-event") continue;  // compares levels within absolute roundings
      const double yield = run_of(instance, name).metrics.minimum_yield;
      RC_ASSERT(run_of(bytes, name).metrics.minimum_yield == yield);
      // Set-10's sets are powers of ten of seconds.
      if (name != "set-10") RC_ASSERT(run_of(clock, name).metrics.minimum_yield == yield);
    }
  }));
}

TEST_CASE("io: the schedules of the proofs reach the values that the proofs state") {
  for (const std::string_view name : example_names()) {
    CAPTURE(name);
    const Example example = make_example(name, name == "example-1b" ? 5 : 12, 1e-3).value();
    Timeline timeline{columns()};
    const Run run = run_of(example.instance, "as-given", &timeline);
    CHECK(validate(example.instance, timeline, run.yields));
    const double value =
        example.metric == "efficiency" ? run.metrics.efficiency : run.metrics.minimum_yield;
    CHECK(value >= example.reference - 1e-9);
  }
}

TEST_CASE("io: the validator refuses what it must") {
  const Instance instance = make_example("example-5", 6).value().instance;
  Timeline timeline{columns()};
  const Run run = run_of(instance, "fcfs", &timeline);
  REQUIRE(validate(instance, timeline, run.yields));
  const auto broken = [&](std::size_t row, std::size_t column, double value) {
    Timeline copy{columns()};
    for (std::size_t i = 0; i < timeline.rows(); ++i) {
      std::vector<TimelineCell> cells(timeline.row(i).begin(), timeline.row(i).end());
      if (i == row) cells[column] = value;
      copy.add(cells);
    }
    return !validate(instance, copy, run.yields);
  };
  CHECK_FALSE(broken(timeline.rows(), 0, 0));
  CHECK(broken(0, 4, 2.0));  // faster than its nodes
  CHECK(broken(0, 3, 0.5));  // a gap after it
  CHECK(broken(1, 4, 0.5));  // a waiting row that transfers
  std::vector<double> yields = run.yields;
  yields[2] += 0.01;
  CHECK_FALSE(validate(instance, timeline, yields));
}

TEST_CASE(
    "io: a synthetic window is the same for all strategies, and as long as its shortest list") {
  const GeneratorParameters parameters{.length = 2e4};
  const Instance instance = generate(parameters, {.seed = 3}).value();
  CHECK(instance.applications.size() == 60);
  CHECK(check(instance));
  CHECK(instance.length() > 0.7 * parameters.length);
  const Instance again = generate(parameters, {.seed = 3}).value();
  CHECK(again.applications[59].phases[1].amount == instance.applications[59].phases[1].amount);
  CHECK(generate(parameters, {.seed = 4}).value().length() != instance.length());
  CHECK_FALSE(generate({.applications = 2, .small = 1, .load = 3}, {}));
  // More than any memory holds, and more than a document should.
  CHECK(generate({.length = 1e30}, {}).error().text() ==
        "/length: found 3.171e+22 y, in which 60 applications have more than 20000000 "
        "phases; expected a shorter one");
  CHECK_FALSE(generate({.length = 2e4}, {}, 500));
  CHECK(generate({.length = 2e4}, {}, 5000));
}
