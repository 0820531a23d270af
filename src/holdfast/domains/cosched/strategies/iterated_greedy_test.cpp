#include "holdfast/domains/cosched/generator.hpp"
#include "holdfast/domains/cosched/head_heap.hpp"
#include "holdfast/domains/cosched/simulate.hpp"
#include "holdfast/domains/cosched/strategies.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace holdfast;
using namespace holdfast::cosched;

namespace {

// Algorithm 5 as it is written: all give back all but a pair, and the pairs go one by one to the last task.
void one_by_one(RedistributionState& state) {
  for (const std::size_t i : state.eligible()) {
    if (state.processors(i) != 2) state.set(i, 2);
  }
  while (state.free() >= 2) {
    std::size_t last = kNoTask;
    for (const std::size_t i : state.eligible()) {
      if (last == kNoTask || state.finish(i) > state.finish(last)) last = i;
    }
    if (last == kNoTask || state.better(last) == 0) break;
    state.set(last, state.processors(last) + 2);
  }
}

Instance drawn_instance() {
  const auto n = *rc::gen::inRange(1, 12);
  const GeneratorParameters parameters{.tasks = n,
                                       .minimum_data = *rc::gen::element(1500.0, 2e5, 1.5e6),
                                       .maximum_data = 2.5e6,
                                       .sequential_fraction = *rc::gen::element(0.0, 0.08, 0.4),
                                       .processors = 2 * n + 2 * *rc::gen::inRange(0, 200),
                                       .mtbf = kYear * *rc::gen::inRange(1, 60),
                                       .downtime = *rc::gen::element(0.0, 60.0, 1e6),
                                       .checkpoint_unit_cost = *rc::gen::element(0.01, 1.0, 3.0),
                                       .redistribution_unit_cost = *rc::gen::element(0.0, 1.0, 5.0),
                                       .fault_free = *rc::gen::inRange(0, 4) == 0};
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  return generate(parameters, Stream({.seed = seed}));
}

}  // namespace

TEST_CASE("iterated greedy: every decision of whole runs is the one of Algorithm 5, bit by bit") {
  CHECK(rc::check([] {
    const Instance instance = drawn_instance();
    const Heuristic both = [](RedistributionState& state) {
      RedistributionState plain = state;
      one_by_one(plain);
      iterated_greedy(state);
      for (const std::size_t i : state.eligible()) {
        RC_ASSERT(state.processors(i) == plain.processors(i));
        RC_ASSERT(state.finish(i) == plain.finish(i));
      }
      RC_ASSERT(state.free() == plain.free());
    };
    const Strategy rules{.at_end = both, .at_failure = both, .initial = {}};
    const auto times = task_times(instance);
    const Run run = simulate(instance, times, initial_allocation(times, instance.even_processors()),
                             rules, draw_failures(instance, 1, 0, 0));
    RC_ASSERT(run.metrics.makespan > 0);
  }));
}

TEST_CASE("no count below first_possible() ends within the limit") {
  CHECK(rc::check([] {
    const Instance instance = drawn_instance();
    const TaskTimes times(instance, instance.tasks[0]);
    const std::int64_t from = 2 * *rc::gen::inRange<std::int64_t>(1, 300);
    const double fraction = 1e-3 * *rc::gen::inRange(0, 1001);
    const std::int64_t goal = 2 * *rc::gen::inRange<std::int64_t>(1, 300);
    if (goal == from) return;
    const double limit = times.moved(from, goal, fraction);
    const std::int64_t first = times.first_possible(from, fraction, limit);
    RC_ASSERT(first >= 2 && first <= from);
    for (std::int64_t k = 2; k < first; k += 2) RC_ASSERT(times.moved(from, k, fraction) > limit);
  }));
}
