#include "holdfast/domains/taskgraph/allocation.hpp"

#include "holdfast/domains/taskgraph/guarantee.hpp"
#include "holdfast/domains/taskgraph/testing.hpp"
#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace holdfast::taskgraph {
namespace {

using testing::kModels;

AllocationRule rule_of(SpeedupModel model) {
  const Guarantee guarantee = guarantee_of(model).value();
  return {.alpha = guarantee.alpha, .mu = guarantee.mu};
}

// Step 1 as written: every p in turn.
std::int64_t initial_by_scan(const Speedup& task, std::int64_t processors, double alpha) {
  std::int64_t best = 1;
  for (std::int64_t p = 2; p <= task.fastest(processors); ++p) {
    if (task.area(p) <= alpha * task.area(1) * (1 + 1e-12)) best = p;
  }
  return best;
}

// A random task of one of the four models, of works and overheads over many decades.
Speedup random_task(Stream& random, SpeedupModel model) {
  const double work = random.chance(0.05) ? 0.0 : std::pow(10, random.uniform(-2, 5));
  const double sequential = random.chance(0.1) ? 0.0 : work * std::pow(10, random.uniform(-5, 1));
  const double overhead = random.chance(0.1) ? 0.0 : work * std::pow(10, random.uniform(-8, 0));
  const std::int64_t most = random.integer(1, 3000);
  switch (model) {
    case SpeedupModel::roofline:
      return Speedup::roofline(work, most);
    case SpeedupModel::communication:
      return Speedup::communication(work, overhead);
    case SpeedupModel::amdahl:
      return Speedup::amdahl_of_parts(work, sequential);
    default:
      return Speedup::mix_of_parts(work, sequential, most, overhead);
  }
}

}  // namespace

TEST_CASE("allocation: fastest, before the cap and final, on 10 and on 100 processors") {
  struct Row {
    const char* why;
    Speedup task;
    std::int64_t on10[3];
    std::int64_t on100[3];
  };
  const Row rows[] = {
      {"roofline w=100 pbar=50", Speedup::roofline(100, 50), {10, 10, 4}, {50, 50, 39}},
      {"roofline w=100 pbar=5", Speedup::roofline(100, 5), {5, 5, 4}, {5, 5, 5}},
      {"communication w=100 c=1", Speedup::communication(100, 1), {10, 6, 3}, {10, 6, 6}},
      {"communication w=6 c=1: (6 + 2) / 6 is 4/3 exactly",
       Speedup::communication(6, 1),
       {2, 2, 2},
       {2, 2, 2}},
      {"communication w=5.99 c=1", Speedup::communication(5.99, 1), {2, 1, 1}, {2, 1, 1}},
      {"communication w=12 c=1", Speedup::communication(12, 1), {3, 2, 2}, {3, 2, 2}},
      {"communication w=100 c=0", Speedup::communication(100, 0), {10, 10, 3}, {100, 100, 30}},
      {"amdahl w=95 d=5", Speedup::amdahl_of_parts(95, 5), {10, 10, 3}, {100, 18, 18}},
      {"amdahl w=0 d=5", Speedup::amdahl_of_parts(0, 5), {1, 1, 1}, {1, 1, 1}},
      {"mix w=95 d=5 c=0.5 pbar=8", Speedup::mix_of_parts(95, 5, 8, 0.5), {8, 8, 3}, {8, 8, 8}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const AllocationRule rule = rule_of(row.task.model());
    for (const auto& [processors, expected] : {std::pair{10, row.on10}, {100, row.on100}}) {
      CAPTURE(processors);
      CHECK(row.task.fastest(processors) == expected[0]);
      CHECK(initial_allocation(row.task, processors, rule.alpha) == expected[1]);
      CHECK(capped_allocation(row.task, processors, rule) == expected[2]);
    }
  }
}

TEST_CASE("allocation: caps on 10 and on 100 processors") {
  const std::int64_t on10[] = {4, 3, 3, 3};
  const std::int64_t on100[] = {39, 30, 22, 22};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(allocation_cap(rule_of(kModels[i]).mu, 10) == on10[i]);
    CHECK(allocation_cap(rule_of(kModels[i]).mu, 100) == on100[i]);
  }
}

TEST_CASE("allocation: the cap is never 0 and forgives a product just above an integer") {
  CHECK(allocation_cap(1e-9, 10) == 1);
  CHECK(allocation_cap(1, 10) == 10);
  CHECK(allocation_cap(0.07, 100) == 7);  // 0.07 * 100 = 7.000000000000001 in binary
  CHECK(allocation_cap(0.3, 1) == 1);
}

TEST_CASE("allocation: one processor leaves no choice") {
  for (const SpeedupModel model : kModels) {
    Stream random({.instance = 5});
    for (int i = 0; i < 100; ++i) {
      CHECK(capped_allocation(random_task(random, model), 1, rule_of(model)) == 1);
    }
  }
}

TEST_CASE("allocation: a table is searched on its frontier, again below the cap") {
  // Areas 10, 12, 12.6, 20; p = 3 is slower than p = 2 would be if dominated: here all are on it.
  const Speedup table = Speedup::table({10, 6, 4.2, 5});
  CHECK(initial_allocation(table, 4, 1.0) == 1);
  CHECK(initial_allocation(table, 4, 1.2) == 2);  // 12 = 1.2 * 10
  CHECK(initial_allocation(table, 4, 9.0) == 3);  // t(4) > t(3)
  CHECK(capped_allocation(table, 4, {.alpha = 9, .mu = 0.5}) == 2);
  // t(2) > t(1): capped at 2, the dominated entry is not taken.
  const Speedup bump = Speedup::table({10, 11, 3.4});
  CHECK(capped_allocation(bump, 3, {.alpha = 2, .mu = 2.0 / 3}) == 1);
}

TEST_CASE("allocation: equals the linear scan of Algorithm 4, any alpha") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    for (const SpeedupModel model : kModels) {
      for (int i = 0; i < 10; ++i) {
        const Speedup task = random_task(random, model);
        const std::int64_t processors = random.integer(1, 2000);
        const double alpha = random.chance(0.5) ? rule_of(model).alpha : random.uniform(1, 4);
        RC_ASSERT(initial_allocation(task, processors, alpha) ==
                  initial_by_scan(task, processors, alpha));
      }
    }
  }));
}

TEST_CASE("allocation: area ratio at most alpha, time ratio before the cap at most beta") {
  for (const SpeedupModel model : kModels) {
    CAPTURE(name(model));
    const Guarantee guarantee = guarantee_of(model).value();
    Stream random({.instance = 6});
    double area = 0, time = 0;
    for (int i = 0; i < 50'000; ++i) {
      const Speedup task = random_task(random, model);
      if (!(task.area(1) > 0)) continue;
      const std::int64_t processors = random.integer(1, 20'000);
      const std::int64_t p = initial_allocation(task, processors, guarantee.alpha);
      area = std::max(area, task.area(p) / task.area(1));
      time = std::max(time, task.time(p) / task.time(task.fastest(processors)));
    }
    CHECK(area <= guarantee.alpha * (1 + 2e-12));
    CHECK(time <= guarantee.beta * (1 + 1e-12));
  }
}

TEST_CASE("allocation: any task that the cap reduces keeps the ratio against the lower bound") {
  // alpha mu / ((1 - mu) rho) + beta / tau >= 1, with rho and tau the ratios of area and time under
  // the cap: what makes T <= LB / mu true, although the theorem speaks of the optimum.
  for (const SpeedupModel model : kModels) {
    CAPTURE(name(model));
    const Guarantee g = guarantee_of(model).value();
    Stream random({.instance = 7});
    double least = 10;
    for (int i = 0; i < 50'000; ++i) {
      const Speedup task = random_task(random, model);
      const std::int64_t processors = random.integer(2, 20'000);
      const std::int64_t cap = allocation_cap(g.mu, processors);
      if (initial_allocation(task, processors, g.alpha) <= cap) continue;
      const double rho = task.area(cap) / task.area(1);
      const double tau = task.time(cap) / task.time(task.fastest(processors));
      least = std::min(least, g.alpha * g.mu / ((1 - g.mu) * rho) + g.beta / tau);
    }
    CHECK(least >= 1 - 1e-12);
  }
}

}  // namespace holdfast::taskgraph
