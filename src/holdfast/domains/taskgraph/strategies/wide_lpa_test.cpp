#include "holdfast/domains/taskgraph/strategies/wide_lpa.hpp"

#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/testing.hpp"
#include "holdfast/domains/taskgraph/validate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace holdfast::taskgraph {
namespace {

using namespace testing;

/// Independent tasks whose least time is long beside their area: t(p) = 30 + 70 / p on 100 processors. Alone, Algorithm 4
/// gives 3 (area 160 of at most 188.3), and the share .08 of the machine 8 (area 310, 121.7 beyond).
Instance independent(std::size_t tasks) {
  Instance instance;
  instance.processors = 100;
  instance.graph = Dag::from_edges(tasks, {}).value();
  instance.tasks.assign(tasks, Speedup::amdahl_of_parts(70, 30));
  return instance;
}

std::vector<std::int64_t> allocations(const Instance& instance, const WideLpaOptions& options = {},
                                      std::span<const std::int64_t> failures = {}) {
  const WideLpa rule = WideLpa::make(instance, options).value();
  Schedule schedule;
  const Metrics metrics = simulate(instance, rule, failures, &schedule);
  CHECK(metrics.attempts == static_cast<std::int64_t>(schedule.size()));
  std::vector<std::int64_t> out;
  for (const Attempt& attempt : schedule) out.push_back(attempt.processors);
  return out;
}

/// What a schedule takes beyond alpha times the least area of each attempt's task.
double extra_of(const Instance& instance, const WideLpa& rule, const Schedule& schedule) {
  double extra = 0;
  for (const Attempt& attempt : schedule) {
    const Speedup& task = instance.tasks[attempt.task];
    const double free = rule.base().rule(task.model()).alpha * task.least_area(instance.processors);
    extra += std::max(0.0, task.area(attempt.processors) - free);
  }
  return extra;
}

}  // namespace

TEST_CASE("wide-lpa: tasks are widened until the budget is spent") {
  CHECK(allocations(independent(1)) == std::vector<std::int64_t>{8});
  // Each spends 121.7 of .5 * 100 * 30.7 = 1535 processor-seconds: 12 of them.
  const auto found = allocations(independent(15));
  CHECK(std::ranges::count(found, 8) == 12);
  CHECK(std::ranges::count(found, 3) == 3);
  const auto half = allocations(independent(15), {.gamma = 0.25});
  CHECK(std::ranges::count(half, 8) == 6);
  CHECK(allocations(independent(15), {.gamma = 0}) == std::vector<std::int64_t>(15, 3));
  CHECK(allocations(independent(1), {.phi = 0.05}) == std::vector<std::int64_t>{5});
  // No task gets more than the share mu = .22 of the machine.
  CHECK(allocations(independent(1), {.phi = 0.5}) == std::vector<std::int64_t>{22});
}

TEST_CASE("wide-lpa: no task is widened where the area is as scarce as the time") {
  // The area of 21 tasks, 21 s on the whole machine, is more than two thirds of their time of 30.7 s: only the first 20 see less.
  const auto found = allocations(independent(40), {.gamma = 10});
  CHECK(std::ranges::count(found, 8) == 20);
  CHECK(std::ranges::count(found, 3) == 18);
  // With 39, the area is more than 1.25 times the time, and 2 processors take 65 s of at most 2.13 times 30.7 s.
  CHECK(std::ranges::count(found, 2) == 2);
}

TEST_CASE("wide-lpa: no task is narrowed beyond beta times its least time, nor without a beta") {
  Stream random({.instance = 6});
  int narrowed = 0;
  for (int round = 0; round < 200; ++round) {
    const Instance instance = random_instance(random, kModels[round % 4], 60, 40);
    const WideLpa rule = WideLpa::make(instance, {}).value();
    const double beta = rule.base().beta().value();
    Schedule schedule;
    const Metrics metrics = simulate(instance, rule, {}, &schedule);
    REQUIRE(metrics.makespan <= *rule.proven_ratio() * metrics.lower_bound * (1 + 1e-12));
    REQUIRE(validate(instance, {}, schedule, Idling::forbidden));
    for (const Attempt& attempt : schedule) {
      const Speedup& task = instance.tasks[attempt.task];
      const std::int64_t base = rule.base().allocate({.speedup = task});
      if (attempt.processors >= base) continue;
      ++narrowed;
      const double least = task.time(task.fastest(instance.processors));
      CHECK(task.time(attempt.processors) <= beta * least * (1 + 1e-12));
    }
  }
  CHECK(narrowed > 100);
  // With an alpha of one's own no beta is known: Algorithm 4's 3 processors stay.
  const auto kept = allocations(independent(40), {.base = {.alpha = 1.89, .mu = 0.2}, .gamma = 0});
  CHECK(std::ranges::count(kept, 3) == 40);
}

TEST_CASE("wide-lpa: a failed attempt counts as a task, and its path as longer") {
  const Instance instance = independent(1);
  CHECK(allocations(instance, {.gamma = 0.06}, std::vector<std::int64_t>{2}) ==
        std::vector<std::int64_t>{8, 8, 8});  // 121.7 of 184, 243.4 of 368, 365.1 of 552
  CHECK(allocations(instance, {.gamma = 0.03}, std::vector<std::int64_t>{2}) ==
        std::vector<std::int64_t>{3, 8, 8});
}

TEST_CASE("wide-lpa: what is spent, every allocation and the makespan stay within their bounds") {
  Stream random({.instance = 5});
  for (int round = 0; round < 400; ++round) {
    const SpeedupModel model = kModels[round % 4];
    const Instance instance = random_instance(random, model, 30, 200);
    const auto failures =
        round % 3 == 0 ? random_failures(random, instance.size()) : std::vector<std::int64_t>{};
    const WideLpaOptions options{.base = {.order = static_cast<QueueOrder>(round % 5)},
                                 .phi = 0.02 + 0.3 * random.uniform(),
                                 .gamma = 2 * random.uniform()};
    const WideLpa rule = WideLpa::make(instance, options).value();
    Schedule schedule;
    const Metrics metrics = simulate(instance, rule, failures, &schedule);
    CAPTURE(round);
    REQUIRE(validate(instance, failures, schedule, Idling::forbidden));
    const AllocationRule own = rule.base().rule(model);
    for (const Attempt& attempt : schedule) {
      CHECK(attempt.processors <= allocation_cap(own.mu, instance.processors));
    }
    const double machine = static_cast<double>(instance.processors) * metrics.lower_bound;
    CHECK(extra_of(instance, rule, schedule) <= options.gamma * machine * (1 + 1e-9));
    CHECK(metrics.makespan <= rule.proven_ratio().value() * metrics.lower_bound * (1 + 1e-9));
    if (model != SpeedupModel::roofline) continue;
    const CappedLpa narrow = CappedLpa::make(instance, options.base).value();
    CHECK(simulate(instance, narrow, failures).makespan == metrics.makespan);
    CHECK(rule.proven_ratio() == narrow.proven_ratio());
  }
}

TEST_CASE("wide-lpa: its ratio is that of capped-lpa and gamma / (1 - mu)") {
  const auto ratio = [](const Speedup& task) {
    Instance instance = independent(1);
    instance.tasks.front() = task;
    return WideLpa::make(instance, {}).value().proven_ratio();
  };
  CHECK(ratio(Speedup::roofline(10, 5)).value() == doctest::Approx(2.618034).epsilon(1e-6));
  CHECK(ratio(Speedup::communication(10, 1)).value() == doctest::Approx(4.100103).epsilon(1e-6));
  CHECK(ratio(Speedup::amdahl(10, 0.1)).value() == doctest::Approx(5.187441).epsilon(1e-6));
  Instance power = independent(1);
  power.tasks.front() = Speedup::power(10, 0.5);
  CHECK(!WideLpa::make(power, {}));
  CHECK(!WideLpa::make(power, {.base = {.alpha = 2, .mu = 0.2}}).value().proven_ratio());
}

}  // namespace holdfast::taskgraph
