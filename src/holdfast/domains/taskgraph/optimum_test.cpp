#include "holdfast/domains/taskgraph/optimum.hpp"

#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies/capped_lpa.hpp"
#include "holdfast/domains/taskgraph/strategies/earliest_completion.hpp"
#include "holdfast/domains/taskgraph/strategies/optimal.hpp"
#include "holdfast/domains/taskgraph/testing.hpp"
#include "holdfast/domains/taskgraph/validate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

namespace holdfast::taskgraph {

TEST_CASE("optimum: five Amdahl tasks on 4 processors") {
  const Instance instance = testing::five_tasks();
  const Optimum best = optimum(instance).value();
  CHECK(best.makespan == 23.5);
  REQUIRE(validate(instance, {}, best.schedule, Idling::allowed));
  std::vector<std::int64_t> allocations(5);
  std::vector<double> starts(5);
  for (const Attempt& attempt : best.schedule) {
    allocations[attempt.task] = attempt.processors;
    starts[attempt.task] = attempt.start;
  }
  CHECK(allocations == std::vector<std::int64_t>{4, 1, 3, 1, 3});
  CHECK(starts == std::vector<double>{0, 6.5, 6.5, 16.5, 16.5});
}

TEST_CASE("optimum: one parallel task takes the whole machine") {
  Instance instance;
  instance.processors = 100;
  instance.tasks = {Speedup::amdahl_of_parts(100, 0)};
  instance.graph = Dag::from_edges(1, {}).value();
  CHECK(optimum(instance)->makespan == 1);
}

TEST_CASE("optimum: a failed attempt may have another allocation than the next one") {
  // Two attempts of 4 s beside a task of 4 s that cannot be parallel: 2 + 2 processors would waste
  // it.
  Instance instance;
  instance.processors = 2;
  instance.tasks = {Speedup::amdahl_of_parts(4, 0), Speedup::roofline(4, 1)};
  instance.graph = Dag::from_edges(2, {}).value();
  const std::vector<std::int64_t> failures = {1, 0};
  const Optimum best = optimum(instance, failures).value();
  CHECK(best.makespan == 6);  // area 12 / 2
  CHECK(validate(instance, failures, best.schedule, Idling::allowed));
}

TEST_CASE("optimum: what is too large is refused and not answered wrongly") {
  Stream random({.instance = 1});
  Instance instance;
  instance.processors = 16;
  for (int i = 0; i < 30; ++i) {
    instance.tasks.push_back(Speedup::amdahl_of_parts(random.uniform(1, 9), random.uniform()));
  }
  instance.graph = Dag::from_edges(30, {}).value();
  CHECK(optimum(instance, {}, 1000).error().code == ErrorCode::infeasible);
  instance.tasks.resize(1);
  instance.graph = Dag::from_edges(1, {}).value();
  instance.processors = 1'000'000'000;
  CHECK(optimum(instance).error().code == ErrorCode::infeasible);
}

TEST_CASE("optimum: LB <= OPT <= every strategy, and capped-lpa <= OPT / mu") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    for (const SpeedupModel model : testing::kModels) {
      const Instance instance = testing::random_instance(random, model, 5, 4);
      const auto failures = random.chance(0.3) ? testing::random_failures(random, instance.size())
                                               : std::vector<std::int64_t>{};
      const auto best = optimum(instance, failures);
      if (!best) continue;  // many failures
      RC_ASSERT(validate(instance, failures, best->schedule, Idling::allowed).has_value());
      Instance fixed = instance;
      fixed.failures = failures;
      RC_ASSERT(simulate(fixed, Optimal::make(fixed).value(), failures).makespan == best->makespan);
      RC_ASSERT(lower_bounds(instance, failures).lower() <= best->makespan * (1 + 1e-12));
      const CappedLpa capped = CappedLpa::make(instance, {}).value();
      const double makespan = simulate(instance, capped, failures).makespan;
      RC_ASSERT(best->makespan <= makespan * (1 + 1e-12));
      RC_ASSERT(makespan <= capped.proven_ratio().value() * best->makespan * (1 + 1e-12));
      RC_ASSERT(best->makespan <=
                simulate(instance, EarliestCompletion(instance), failures).makespan * (1 + 1e-12));
    }
  }));
}

}  // namespace holdfast::taskgraph
