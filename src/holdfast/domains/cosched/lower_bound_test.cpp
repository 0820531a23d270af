#include "holdfast/domains/cosched/lower_bound.hpp"

#include "holdfast/domains/cosched/allocation.hpp"
#include "holdfast/domains/cosched/plan.hpp"
#include "holdfast/domains/cosched/simulate.hpp"
#include "holdfast/domains/cosched/strategies.hpp"
#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::cosched;

namespace {

Profile profile_of(Stream& stream, double data, std::int64_t processors) {
  if (stream.chance(0.5)) return MLogProfile{.sequential_fraction = stream.uniform(0, 0.5)};
  if (stream.chance(0.5)) return Speedup::amdahl(30 * data, stream.uniform(0, 0.5));
  // Times that fall, though not evenly, so that the hull leaves points out.
  std::vector<double> times;
  double time = 30 * data;
  for (std::int64_t j = 0; j < processors; ++j) times.push_back(time *= stream.uniform(0.6, 1));
  return Speedup::table(std::move(times));
}

Instance few_tasks(std::uint64_t seed, bool fault_free) {
  Stream stream({.seed = seed});
  Instance instance{
      .processors = stream.integer(2, 5) * 2, .tasks = {}, .failures = {}, .given = {}};
  instance.fault_free = fault_free;
  instance.mtbf = std::pow(10.0, stream.uniform(6, 9));
  instance.redistribution_unit_cost = stream.chance(0.5) ? 0 : 1;
  const std::int64_t tasks = stream.integer(1, std::min<std::int64_t>(3, instance.processors / 2));
  for (std::int64_t i = 0; i < tasks; ++i) {
    const double data = stream.uniform(1e3, 1e5);
    instance.tasks.push_back({.id = std::to_string(i),
                              .data = data,
                              .profile = profile_of(stream, data, instance.processors)});
  }
  return instance;
}

// The runs of all strategies that end before their bound, over random instances with failures.
int beyond_bound(std::uint64_t first, std::uint64_t instances) {
  const auto entries = strategies();
  int beyond = 0;
  for (std::uint64_t seed = first; seed < first + instances; ++seed) {
    const Instance instance = few_tasks(seed, seed % 4 == 0);
    const auto times = task_times(instance);
    const double bound = best_known_bound(instance, times).value().seconds;
    const Allocation initial = initial_allocation(times, instance.even_processors());
    for (const StrategyEntry& entry : entries) {
      if (entry.name == "as-given" || entry.takes_rule) continue;
      const auto spec = parse_strategy(entry.name, entries).value();
      const Strategy rules = make_strategy(spec, instance).value();
      const Run run =
          simulate(instance, times, initial, rules, draw_failures(instance, seed, 0, 0));
      if (run.metrics.makespan < bound * (1 - 1e-9)) ++beyond;
    }
  }
  return beyond;
}

}  // namespace

TEST_CASE("lower bound: instances whose bound is known") {
  Instance instance{.processors = 4, .tasks = {}, .failures = {}, .given = {}};
  instance.fault_free = true;
  const auto bound = [&] { return lower_bound(instance, task_times(instance)).value(); };
  // One task: its shortest time.
  instance.tasks = {{.id = "a", .data = 2, .profile = Speedup::table({12, 8, 6, 5})}};
  CHECK(bound() == 5);
  // Two of 16 = 2 * 8 processor-seconds at best: 32 on 4.
  instance.tasks.push_back({.id = "b", .data = 2, .profile = Speedup::table({12, 8, 6, 5})});
  CHECK(bound() == doctest::Approx(8));
  // More processors do not help them: half of the machine stays idle, and the bound says so.
  instance.processors = 8;
  for (Task& task : instance.tasks) task.profile = Speedup::roofline(16, 2);
  CHECK(bound() == 8);
  // Where a mixture of allocations would be needed and moves are free. Areas 16 at 8 s and 20 at 5 s on 6 processors: 2 a(T) = 6 T with
  // a(T) = 20 - (T - 5) 4 / 3.
  instance.processors = 6;
  for (Task& task : instance.tasks) task.profile = Speedup::table({12, 8, 6, 5, 5, 5});
  instance.redistribution_unit_cost = 0;
  CHECK(bound() == doctest::Approx((40 + 40.0 / 3) / (6 + 8.0 / 3)));
  // Each move keeps a processor busy for at least 2 / 2 s, so that there is another second of area for each.
  instance.redistribution_unit_cost = 1;
  CHECK(bound() == doctest::Approx((42 + 40.0 / 3) / (6 + 8.0 / 3)));
}

TEST_CASE("lower bound: of the source's profile the curve lies on the points") {
  // Two equal tasks on 8 processors: 4 each is the best, and meets the bound.
  Instance instance{.processors = 8, .tasks = {}, .failures = {}, .given = {}};
  instance.fault_free = true;
  instance.tasks.assign(2, {.id = "a", .data = 1e6, .profile = MLogProfile{}});
  instance.tasks[1].id = "b";
  const auto times = task_times(instance);
  CHECK(lower_bound(instance, times).value() == doctest::Approx(times[0].time(4)).epsilon(1e-12));
}

TEST_CASE("lower bound: no optimum is below it, 300 small instances") {
  int met = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Instance instance = few_tasks(seed, true);
    const double best = optimum(instance).value().makespan;
    const double bound = lower_bound(instance, task_times(instance)).value();
    CAPTURE(seed);
    REQUIRE(bound <= best * (1 + 1e-9));
    if (bound >= best * (1 - 1e-9)) ++met;
  }
  MESSAGE(met << " of 300 optima meet their bound");
  CHECK(met > 50);
}

TEST_CASE("lower bound: no strategy is below it, 300 instances with and without failures") {
  CHECK(beyond_bound(1, 300) == 0);
}

TEST_CASE("lower bound: no strategy is below it, 10 000 instances" *
          doctest::test_suite("thorough")) {
  CHECK(beyond_bound(1000, 10'000) == 0);
}
